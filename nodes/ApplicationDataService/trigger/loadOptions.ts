import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { chosenApplication, withService } from '../editor/context';
import { partLabel } from '../editor/labels';

/** The date/time parts of the chosen application: one of them tells when a record was changed. */
export async function getDateTimeParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    return (application?.parts ?? [])
      .filter(({ type }) => type === 'datetime')
      .map((part) => ({
        name: partLabel(part),
        value: part.id,
        description: part.system ? 'Made by the service' : part.type,
      }));
  });
}
