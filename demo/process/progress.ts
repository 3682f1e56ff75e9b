const TERMINAL_INTERVAL = 1_000;
const LOG_INTERVAL = 10_000;

/** Prints a line about the progress to standard error; standard output is for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * Shows that a long step is still running: in a terminal with one line that changes every second, elsewhere with a new
 * line every ten seconds.
 * @param detail the progress so far, e.g. "812 of 2372 packages"
 */
export async function withProgress<T>(title: string, work: Promise<T>, detail = () => ''): Promise<T> {
  const started = Date.now();
  const terminal = process.stderr.isTTY;
  const show = (end: string) => {
    const reached = [detail(), `${Math.round((Date.now() - started) / 1000)} s`].filter(
      (text) => text !== '',
    );
    process.stderr.write(`${terminal ? '\r\x1b[2K' : ''}  ${title}: ${reached.join(', ')}${end}`);
  };
  show(terminal ? '' : '\n');
  const timer = setInterval(() => show(terminal ? '' : '\n'), terminal ? TERMINAL_INTERVAL : LOG_INTERVAL);
  try {
    const result = await work;
    show(' - done\n');
    return result;
  } catch (error) {
    show(' - failed\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
