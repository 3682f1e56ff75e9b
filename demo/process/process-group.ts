/** Options of `spawn` that make the child the leader of a process group. Windows has no process groups. */
export const ownGroup = { detached: process.platform !== 'win32', windowsHide: true };

/** Kills a child started with `ownGroup` and everything that it has started. Does nothing if they have ended. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
