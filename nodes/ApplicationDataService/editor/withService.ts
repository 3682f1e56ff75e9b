import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { readApplicationReference } from '../common/properties';
import { toNodeError } from '../common/errors';
import { fetchApplication, type Application } from '../service/application/definition';
import type { ServiceClient } from '../service/http/client';
import { connect } from '../service/http/connect';
import { maskAll } from '../service/http/secrets';

/** Runs an editor method against the service; what fails is shown in the field that asked. */
export async function withService<T>(
  context: ILoadOptionsFunctions,
  load: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  try {
    return maskAll(await load(await connect(context)));
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
}

/** The application chosen in the editor; `null` if none is chosen, or if it is an expression. */
export async function chosenApplication(
  context: ILoadOptionsFunctions,
  client: ServiceClient,
): Promise<Application | null> {
  const reference = readApplicationReference(context.getCurrentNodeParameter('application'));
  if (reference === '' || reference.replace(/^@/, '').startsWith('=')) return null;
  return await fetchApplication(client, reference);
}
