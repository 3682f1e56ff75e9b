import type { ApplicationDefinition, CreatedApplication } from '../../support/sandboxTypes';
import { sandbox } from './here';

/** An application for the stories of a file. @returns it, while stories run */
export function useApplication(
  definition: ApplicationDefinition & { readonly identifier: string },
): () => CreatedApplication {
  let created: CreatedApplication;
  beforeAll(async () => {
    created = await sandbox.createApplication(definition);
  });
  afterAll(async () => await sandbox.removeApplication(definition.identifier));
  return () => created;
}
