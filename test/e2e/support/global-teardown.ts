/** Ends what `global-setup` has started; a demo that cannot end in order fails the run. */
export default async function globalTeardown(): Promise<void> {
  const exitCode = await globalThis.stopEndToEndDemo?.();
  if (exitCode !== 0) throw new Error(`The demo ended with exit code ${exitCode}.`);
}
