import { Sandbox, type ApplicationDefinition } from '../../support/sandbox';

/**
 * A sandbox for the tests of a file, reset before each of them, with an application.
 * @param application `null` if the tests create their own
 * @param take receives it before the tests
 */
export function useSandbox(
  application: ApplicationDefinition | null,
  take: (sandbox: Sandbox) => void,
): void {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await Sandbox.borrow();
    take(sandbox);
  });
  beforeEach(async () => {
    await sandbox.reset();
    if (application !== null) await sandbox.createApplication(application);
  });
  afterAll(async () => await sandbox.stop());
}
