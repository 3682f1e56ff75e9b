import type {
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';

import { attachmentPartId, attachmentParts } from '../parts/choose';
import { isWritable } from '../parts/model/obstacle';
import { lookUpPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject, readText } from '../parts/values/shapes';
import type { Application } from '../service/application/definition';
import { withApplication } from './applicationLists';
import { describeList, shorten } from '../parts/values/describe';
import { groupBy } from '../util/groupBy';

type Find<T> = (application: Application, context: ILoadOptionsFunctions) => T;

/** A method of the editor that lists something of the chosen application; nothing as long as none is chosen. */
function optionsMethod(find: Find<INodePropertyOptions[]>) {
  return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    return await withApplication(this, (app) => (app === null ? [] : find(app.application, this)));
  };
}

function partsThat(isOffered: (part: Part) => boolean, describe?: (part: Part) => string) {
  return optionsMethod(({ parts }) => partOptions(parts.filter(isOffered), describe));
}

function partOptions(parts: readonly Part[], describe = typeName): INodePropertyOptions[] {
  return [...partLabels(parts)].map(([part, name]) => ({
    name,
    value: part.id,
    description: describe(part),
  }));
}

export const partLists = {
  getParts: partsThat(() => true),

  getWritableParts: partsThat(isWritable),

  /** Those that the service can filter on (service-facts, "Filter"). */
  getFilterParts: partsThat(({ codec }) => codec.filterable === true),

  getSortParts: partsThat(({ codec }) => codec.sortable === true),

  getKeywordParts: partsThat(({ codec }) => codec.searchable === true),

  /** One of them tells when a record was changed. */
  getDateTimeParts: partsThat(
    (part) => part.codec.compares === 'datetime',
    (part) => (part.system ? 'Made by the service' : typeName(part)),
  ),

  getTableParts: partsThat((part) => part.codec.content === 'rows'),

  getAttachmentParts: optionsMethod(({ parts }) => {
    const labels = partLabels(parts);
    return attachmentParts(parts).map((place) => {
      const { part, table } = place;
      const label = labels.get(part) ?? `${labels.get(table!)} / ${partLabels(table!.children).get(part)}`;
      return { name: label, value: attachmentPartId(place) };
    });
  }),

  getRowParts: optionsMethod((application, context) =>
    partOptions((chosenTablePart(application, context)?.children ?? []).filter(isWritable)),
  ),

  /** What the part of the same condition offers to choose from. */
  getPartChoices: optionsMethod(({ parts }, context) => {
    // n8n's resource explorer sends no position among the parameters. It means the condition that it has just written.
    const conditions = context.getCurrentNodeParameter('filters.condition');
    const last: unknown = Array.isArray(conditions) ? conditions.at(-1) : undefined;
    const text = readText(context.getCurrentNodeParameter('&part'));
    const part = lookUpPart(parts, text || (isObject(last) ? readText(last.part) : ''));
    return (part?.options ?? []).map((option) => ({ name: option, value: option }));
  }),
};

const chosenTablePart: Find<Part | null> = ({ parts }, context) => {
  const text = context.getCurrentNodeParameter('tablePart');
  if (typeof text !== 'string' || text === '' || text.startsWith('=')) return null;
  const part = lookUpPart(parts, text);
  return part?.codec.content === 'rows' ? part : null;
};

/** The parts that can be written, of the chosen application or table part, for the mappers of values. */
export const partMappers = {
  getPartFields: fieldsOf('an application', (application) => application),
  getRowFields: fieldsOf('a table part', (application, context) => {
    const table = chosenTablePart(application, context);
    return table && { name: table.name, parts: table.children };
  }),
};

function fieldsOf(what: string, find: Find<Pick<Application, 'name' | 'parts'> | null>) {
  return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return await withApplication(this, (app) => {
      const holder = app && find(app.application, this);
      if (holder !== null)
        return mapperFields(holder.parts, `There are no parts that can be written in "${holder.name}".`);
      // n8n keeps showing it under Map Automatically after a selection, so it must be true then, too.
      const emptyFieldsNotice = `With Map Each Column Manually, the parts appear here once ${what} is selected from the list. Map Automatically works without them.`;
      return { fields: [], emptyFieldsNotice };
    });
  };
}

/** Fields of parts that can be written, by ID: a renamed part keeps its mapping. @param notice where there is none */
export function mapperFields(parts: readonly Part[], notice: string): ResourceMapperFields {
  const fields = [...fieldLabels(parts.filter(isWritable))].map(([part, label]) => partField(part, label));
  return fields.length === 0 ? { fields, emptyFieldsNotice: notice } : { fields };
}

/** To take a choice back. n8n itself refuses an emptied list whose choices do not include the empty one. */
const NO_CHOICE = { name: '(Not Sent)', value: '' };

function partField(part: Part, displayName: string): ResourceMapperField {
  const { choices, content } = part.codec;
  const isChoice = choices === 'one' && !part.allowOther && part.options.length > 0;
  return {
    id: part.id,
    displayName,
    required: false,
    defaultMatch: false,
    canBeUsedToMatch: content === undefined,
    display: true,
    type: isChoice ? 'options' : 'string',
    ...(isChoice && {
      options: [NO_CHOICE, ...part.options.map((option) => ({ name: option, value: option }))],
    }),
  };
}

/** n8n makes the keys of AI tools from labels: every other character becomes `_`, and what is longer is cut. */
const NOT_IN_KEY = /[^a-zA-Z0-9-]/g;
const MAX_KEY_LENGTH = 63;
/** How many characters of a name come before an ID, so that the ID is not cut off. */
const MAX_BEFORE_ID = 40;
const MAX_CHOICES = 20;
/** What n8n shows beside a mapper and a model can fill in, too: a part of that name must not share its key. */
export const FIELDS_BESIDE = ['Application', 'Max Removals', 'Record', 'Revision', 'Row'];

export function partLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, (_, name) => name);
}

/** Labels of fields, with a word for what to enter if that is not obvious: n8n cuts long ones at the end. */
export function fieldLabels(parts: readonly Part[]): ReadonlyMap<Part, string> {
  return labelled(parts, (part, name) => {
    const form = formWord(part);
    return form === '' ? name : `${name} · ${form}`;
  });
}

function formWord({ codec: { choices, form = '' }, options, allowOther }: Part): string {
  if (choices === undefined) return form;
  // One choice is picked from n8n's own list, unless another text may be typed.
  if (choices === 'one') return allowOther && options.length > 0 ? 'choice' : '';
  return options.length === 1 && !allowOther ? 'choice' : 'list';
}

/** Names, with the ID where two would be one key of an AI tool, as Japanese names are: keys hold ASCII letters only. */
function labelled(
  parts: readonly Part[],
  labelOf: (part: Part, name: string) => string,
): ReadonlyMap<Part, string> {
  const labels = new Map(parts.map((part) => [part, labelOf(part, part.name)]));
  const withId = new Set<Part>();
  for (let colliding = collisions(labels); colliding.length > 0; colliding = collisions(labels)) {
    const plain = colliding.filter((part) => !withId.has(part));
    if (plain.length === 0) break;
    for (const part of plain) {
      withId.add(part);
      labels.set(part, labelOf(part, `${shorten(part.name, MAX_BEFORE_ID)} (${part.id})`));
    }
  }
  return labels;
}

function collisions(labels: ReadonlyMap<Part, string>): Part[] {
  const keyOf = (part: Part): string => toolKey(labels.get(part) ?? '');
  const taken = new Set(FIELDS_BESIDE.map(toolKey));
  return groupBy([...labels.keys()], keyOf)
    .filter(([first, ...others]) => others.length > 0 || taken.has(keyOf(first)))
    .flat();
}

function toolKey(label: string): string {
  return label.replaceAll(NOT_IN_KEY, '_').slice(0, MAX_KEY_LENGTH);
}

export function typeName(part: Part): string {
  const { reference, options } = part;
  const { label = part.type } = part.codec;
  const kind = reference ? `${label}, from another application` : label;
  return options.length === 0 ? kind : `${kind}: ${describeList(options, MAX_CHOICES)}`;
}
