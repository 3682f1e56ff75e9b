import type { ILoadOptionsFunctions, INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';

import { lookUpPart } from '../parts/model/lookup';
import { PartLookupError } from '../parts/model/errors';
import type { Part } from '../parts/model/part';
import { isWritable } from '../parts/writable';
import type { Application } from '../service/application/definition';
import { attachmentPartId, attachmentParts } from '../parts/choose/attachmentPart';
import { chosenApplication, withService } from './withService';
import { partLabels, typeName } from './labels';
import { mapperFields } from './resourceMapping';

/** The table parts of the chosen application. */
export async function getTableParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await ofApplication(this, ({ parts }) => options(parts.filter(({ type }) => type === 'input_list')));
}

/** The attachment parts of the chosen application, those inside table parts too. */
export async function getAttachmentParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await ofApplication(this, ({ parts }) => {
    const labels = partLabels(parts);
    return attachmentParts(parts).map((place) => {
      const { part, table } = place;
      const label = labels.get(part) ?? `${labels.get(table!)} / ${partLabels(table!.children).get(part)}`;
      return { name: label, value: attachmentPartId(place) };
    });
  });
}

/** The parts of the chosen table part. */
export async function getRowParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await ofApplication(this, (application) =>
    options((chosenTablePart(this, application)?.children ?? []).filter(isWritable)),
  );
}

/** The parts of the chosen table part that can be written, one field each. */
export async function getRowFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    const table = application === null ? undefined : chosenTablePart(this, application);
    if (table === undefined) {
      return {
        fields: [],
        emptyFieldsNotice:
          'The parts appear here once a table part is selected from the list. Map Automatically works without them.',
      };
    }
    return mapperFields(table.children, `The table part "${table.name}" has no parts that can be written.`);
  });
}

function options(parts: readonly Part[]): INodePropertyOptions[] {
  return [...partLabels(parts)].map(([part, name]) => ({
    name,
    value: part.id,
    description: typeName(part),
  }));
}

async function ofApplication(
  context: ILoadOptionsFunctions,
  optionsOf: (application: Application) => INodePropertyOptions[],
): Promise<INodePropertyOptions[]> {
  return await withService(context, async (client) => {
    const application = await chosenApplication(context, client);
    return application === null ? [] : optionsOf(application);
  });
}

function chosenTablePart(context: ILoadOptionsFunctions, { parts }: Application): Part | undefined {
  const text = context.getCurrentNodeParameter('tablePart');
  if (typeof text !== 'string' || text === '' || text.startsWith('=')) return undefined;
  const part = lookUpPart(parts, text);
  return part instanceof PartLookupError || part.type !== 'input_list' ? undefined : part;
}
