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
import { isObject, readText } from '../parts/values/shapes';
import type { Application } from '../service/application/definition';
import { fieldLabels, partLabels, typeName } from './labels';
import { chosenApplication, withService } from './withService';

/** A method of the editor that loads a list for the chosen application; an empty one as long as none is chosen. */
type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

function listOf(
  optionsOf: (application: Application, context: ILoadOptionsFunctions) => INodePropertyOptions[],
): LoadOptions {
  return async function (this) {
    return await withService(this, async (client) => {
      const application = await chosenApplication(this, client);
      return application === null ? [] : optionsOf(application, this);
    });
  };
}

function partsThat(isOffered: (part: Part) => boolean, describe?: (part: Part) => string): LoadOptions {
  return listOf(({ parts }) => partOptions(parts.filter(isOffered), describe));
}

function partOptions(parts: readonly Part[], describe = typeName): INodePropertyOptions[] {
  return [...partLabels(parts)].map(([part, name]) => ({
    name,
    value: part.id,
    description: describe(part),
  }));
}

export const getParts = partsThat(() => true);

export const getWritableParts = partsThat(isWritable);

/** Those that the service can filter on (service-facts, "Filter"). */
export const getFilterParts = partsThat((part) => codecOf(part).filterable);

/** Those that the service can sort by (service-facts, "Keyword and sort"). */
export const getSortParts = partsThat((part) => codecOf(part).sortable);

/** Those that the service searches by keyword (service-facts, "Keyword and sort"). */
export const getKeywordParts = partsThat((part) => codecOf(part).searchable);

/** One of them tells when a record was changed. */
export const getDateTimeParts = partsThat(
  (part) => codecOf(part).compares === 'datetime',
  (part) => (part.system ? 'Made by the service' : part.type),
);

export const getTableParts = partsThat((part) => codecOf(part).holds === 'rows');

/** The attachment parts, those inside table parts too. */
export const getAttachmentParts = listOf(({ parts }) => {
  const labels = partLabels(parts);
  return attachmentParts(parts).map((place) => {
    const { part, table } = place;
    const label = labels.get(part) ?? `${labels.get(table!)} / ${partLabels(table!.children).get(part)}`;
    return { name: label, value: attachmentPartId(place) };
  });
});

/** The parts of the chosen table part that can be written. */
export const getRowParts = listOf((application, context) =>
  partOptions((chosenTablePart(context, application)?.children ?? []).filter(isWritable)),
);

/** What the part of the same condition offers to choose from. */
export const getPartChoices = listOf(({ parts }, context) => {
  const chosen = readText(context.getCurrentNodeParameter('&part')) || partOfLastCondition(context);
  const part = lookUpPart(parts, chosen);
  if (part instanceof PartLookupError) return [];
  return part.options.map((option) => ({ name: option, value: option }));
});

/** n8n's resource explorer sends no position among the parameters. It means the condition that it has just written. */
function partOfLastCondition(context: ILoadOptionsFunctions): string {
  const conditions = context.getCurrentNodeParameter('filters.condition');
  const last: unknown = Array.isArray(conditions) ? conditions.at(-1) : undefined;
  return isObject(last) ? readText(last.part) : '';
}

function chosenTablePart(context: ILoadOptionsFunctions, { parts }: Application): Part | undefined {
  const text = context.getCurrentNodeParameter('tablePart');
  if (typeof text !== 'string' || text === '' || text.startsWith('=')) return undefined;
  const part = lookUpPart(parts, text);
  return part instanceof PartLookupError || codecOf(part).holds !== 'rows' ? undefined : part;
}

/** A method of the editor that loads the fields of a mapper. */
type LoadFields = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

function fieldsOf(
  read: (application: Application | null, context: ILoadOptionsFunctions) => ResourceMapperFields,
): LoadFields {
  return async function (this) {
    return await withService(this, async (client) => read(await chosenApplication(this, client), this));
  };
}

/** The parts of the chosen application that can be written. */
export const getPartFields = fieldsOf((application) => {
  if (application !== null) {
    const { name, parts } = application;
    return mapperFields(parts, `The application "${name}" has no parts that can be written.`);
  }
  return {
    fields: [],
    // n8n keeps showing it under Map Automatically after a selection, so it must be true then, too.
    emptyFieldsNotice:
      'To fill in parts here, select an application from the list and Map Each Column Manually. Map Automatically works without these fields.',
  };
});

/** The parts of the chosen table part that can be written. */
export const getRowFields = fieldsOf((application, context) => {
  const table = application === null ? undefined : chosenTablePart(context, application);
  if (table !== undefined)
    return mapperFields(table.children, `The table part "${table.name}" has no parts that can be written.`);
  return {
    fields: [],
    emptyFieldsNotice:
      'To fill in parts here, select a table part from the list and Map Each Column Manually. Map Automatically works without these fields.',
  };
});

/**
 * A field for each part that can be written. Ids are part IDs: a renamed part keeps its mapping.
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
