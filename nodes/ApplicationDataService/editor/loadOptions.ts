import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { codecOf, isWritable } from '../parts/codecs';
import { PartLookupError } from '../parts/model/errors';
import { lookUpPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject } from '../parts/values/shapes';
import { readText } from '../parts/values/wire';
import { fetchLabels, type Label } from '../service/application/definition';
import { chosenApplication, withService } from './withService';
import { partLabels, typeName } from './labels';

/** The parts of the chosen application. */
export async function getParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(this, () => true);
}

/** Those that can be written. */
export async function getWritableParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(this, isWritable);
}

/** Those that the service can filter on (service-facts, "Filter"). */
export async function getFilterParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(this, (part) => codecOf(part).filterable);
}

/** What the part of the same condition offers to choose from. */
export async function getPartChoices(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const chosen = readText(this.getCurrentNodeParameter('&part')) || partOfLastCondition(this);
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    const part = lookUpPart(application?.parts ?? [], chosen);
    return part instanceof PartLookupError
      ? []
      : part.options.map((option) => ({ name: option, value: option }));
  });
}

/** n8n's resource explorer sends no position among the parameters. It means the condition that it has just written. */
function partOfLastCondition(context: ILoadOptionsFunctions): string {
  const conditions = context.getCurrentNodeParameter('filters.condition');
  const last: unknown = Array.isArray(conditions) ? conditions.at(-1) : undefined;
  return isObject(last) ? readText(last.part) : '';
}

/** Those that the service can sort by (service-facts, "Keyword and sort"). */
export async function getSortParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(this, (part) => codecOf(part).sortable);
}

/** Those that the service searches by keyword (service-facts, "Keyword and sort"). */
export async function getKeywordParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(this, (part) => codecOf(part).searchable);
}

/** The date/time parts: one of them tells when a record was changed. */
export async function getDateTimeParts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await partOptions(
    this,
    (part) => codecOf(part).compares === 'datetime',
    (part) => (part.system ? 'Made by the service' : part.type),
  );
}

async function partOptions(
  context: ILoadOptionsFunctions,
  offered: (part: Part) => boolean,
  describe: (part: Part) => string = typeName,
): Promise<INodePropertyOptions[]> {
  return await withService(context, async (client) => {
    const application = await chosenApplication(context, client);
    const parts = (application?.parts ?? []).filter(offered);
    return [...partLabels(parts)].map(([part, name]) => ({
      name,
      value: part.id,
      description: describe(part),
    }));
  });
}

/** The labels that applications carry, each below its parent, after the service's own groups. */
export async function getLabels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const labels = await withService(this, fetchLabels);
  return [
    { name: 'All Applications', value: 'all' },
    { name: 'Created by Me', value: 'self' },
    { name: 'My Favorites', value: 'favorite' },
    ...labels.map((label) => ({ name: pathOf(label, labels), value: label.id })),
  ];
}

function pathOf(label: Label, labels: readonly Label[]): string {
  const path = [label.name];
  const seen = new Set([label.id]);
  for (
    let parent = parentOf(label, labels);
    parent !== undefined && !seen.has(parent.id);
    parent = parentOf(parent, labels)
  ) {
    seen.add(parent.id);
    path.unshift(parent.name);
  }
  return path.join(' / ');
}

function parentOf(label: Label, labels: readonly Label[]): Label | undefined {
  return labels.find(({ id }) => id === label.parentId);
}
