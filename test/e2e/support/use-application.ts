import type { ApplicationDefinition, CreatedApplication } from '../../support/sandboxTypes';
import { sandbox } from './here';

/** An application for the stories of a file, or for each of them; faults end with it. @returns it, while stories run */
export function useApplication(
  definition: ApplicationDefinition & { readonly identifier: string },
  during: 'file' | 'each' = 'file',
): () => CreatedApplication {
  let created: CreatedApplication;
  const [before, after] = during === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    created = await sandbox.createApplication(definition);
  });
  after(async () => {
    await sandbox.clearFaults();
    await sandbox.removeApplication(definition.identifier);
  });
  return () => created;
}
