import type {
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';

import { attachmentPartId, attachmentParts } from '../parts/choose/attachmentPart';
import { codecOf, isWritable } from '../parts/codecs';
import { PartLookupError } from '../parts/model/errors';
import { lookUpPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import type { Application } from '../service/application/definition';
import { fieldLabels, partLabels, typeName } from './labels';
import { chosenApplication, withService } from './withService';

/**
 * The parts of the chosen application that can be written, one field each. Ids are part IDs: a renamed part keeps its
 * mapping.
 */
export async function getPartFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    if (application === null) {
      return {
        fields: [],
        // n8n keeps showing it under Map Automatically after a selection, so it must be true then, too.
        emptyFieldsNotice:
          'To fill in parts here, select an application from the list and Map Each Column Manually. Map Automatically works without these fields.',
      };
    }
    return mapperFields(
      application.parts,
      `The application "${application.name}" has no parts that can be written.`,
    );
  });
}

/**
 * A field for each part that can be written.
 * @param notice shown if there is none. n8n would show it under Map Automatically even if there are fields.
 */
export function mapperFields(parts: readonly Part[], notice: string): ResourceMapperFields {
  const fields = [...fieldLabels(parts.filter(isWritable))].map(([part, label]) => partField(part, label));
  return fields.length === 0 ? { fields, emptyFieldsNotice: notice } : { fields };
}

/** To take a choice back. n8n itself refuses an emptied list whose choices do not include the empty one. */
const NOT_SENT = { name: '(Not Sent)', value: '' };

function partField(part: Part, displayName: string): ResourceMapperField {
  const { choices, holds } = codecOf(part);
  const isChoice = choices === 'one' && !part.allowOther && part.options.length > 0;
  return {
    id: part.id,
    displayName,
    required: false,
    defaultMatch: false,
    canBeUsedToMatch: holds === undefined,
    display: true,
    type: isChoice ? 'options' : 'string',
    ...(isChoice && {
      options: [NOT_SENT, ...part.options.map((option) => ({ name: option, value: option }))],
    }),
  };
}

/** The table parts of the chosen application. */
export async function getTableParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await ofApplication(this, ({ parts }) =>
    options(parts.filter((part) => codecOf(part).holds === 'rows')),
  );
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
          'To fill in parts here, select a table part from the list and Map Each Column Manually. Map Automatically works without these fields.',
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
  return part instanceof PartLookupError || codecOf(part).holds !== 'rows' ? undefined : part;
}
