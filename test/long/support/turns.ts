/** Runs one task after the other. */
export type Turns = (task: () => Promise<void>) => Promise<void>;

export function turns(): Turns {
  let last = Promise.resolve();
  return async (task) => {
    last = last.then(task);
    await last;
  };
}
