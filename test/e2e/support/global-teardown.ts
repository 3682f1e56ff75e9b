/** Ends what `global-setup` has started. A demo that does not end cleanly fails the run. */
export default async function globalTeardown(): Promise<void> {
  const exitCode = await globalThis.stopEndToEndDemo?.();
  if (exitCode !== 0) throw new Error(`The demo ended with exit code ${exitCode}.`);
}
