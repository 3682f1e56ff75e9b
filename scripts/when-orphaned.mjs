const INTERVAL = 500;

/**
 * Calls back once when the process that started this one has ended. npm passes SIGTERM only to its shell, which ends
 * without passing it on; a test run that is killed passes nothing on, either. Works under npm only: a demo that was
 * started in the background by hand should outlive its shell.
 * @param {() => void} callback
 */
export function whenOrphaned(callback) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, INTERVAL);
  timer.unref();
}
