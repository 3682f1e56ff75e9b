import { Sandbox, type ApplicationDefinition } from '../../support/sandbox';

/**
 * A sandbox for the tests of a file: as new before each of them, with an application.
 * @param take receives it before the tests
 */
export function useSandbox(application: ApplicationDefinition, take: (sandbox: Sandbox) => void): void {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await Sandbox.borrow();
    take(sandbox);
  });
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.createApplication(application);
  });
  afterAll(async () => await sandbox.stop());
}
