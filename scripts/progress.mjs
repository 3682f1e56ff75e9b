const TERMINAL_INTERVAL = 1_000;
const LOG_INTERVAL = 10_000;

/**
 * Prints a line about the progress to standard error; standard output is for results.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Shows that a long step is still running, how far it is and what comes after it: in a terminal with one line that
 * changes every second, elsewhere with a new line every ten seconds.
 * @template T
 * @param {string} title
 * @param {Promise<T>} work
 * @param {{ detail?: () => string, then?: string }} about `detail` is the progress so far, e.g. "812 of 2372 packages"
 * @returns {Promise<T>}
 */
export async function withProgress(title, work, { detail = () => '', then = '' } = {}) {
  const started = Date.now();
  const terminal = process.stderr.isTTY;
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const write = (text) => process.stderr.write(`${terminal ? '\r\x1b[2K' : ''}  ${title}: ${text}`);
  const show = () => {
    const reached = [detail(), seconds()].filter((text) => text !== '').join(', ');
    write(`${reached}${then === '' ? '' : `; then ${then}`}${terminal ? '' : '\n'}`);
  };
  show();
  const timer = setInterval(show, terminal ? TERMINAL_INTERVAL : LOG_INTERVAL);
  try {
    const result = await work;
    write(`${seconds()} - done\n`);
    return result;
  } catch (error) {
    write(`${seconds()} - failed\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
