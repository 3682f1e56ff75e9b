const INTERVAL = 500;

/**
 * Calls back once when the process that started this one is gone. npm hands SIGTERM to its shell alone, which dies of
 * it and tells nobody; and a test run that is killed tells nobody either. Only under npm: a demo that was sent to the
 * background by hand outlives its shell on purpose.
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
