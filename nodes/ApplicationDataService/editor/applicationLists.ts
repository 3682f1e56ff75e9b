import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { fetchApplications, fetchLabels, type Label } from '../service/application/definition';
import { type ApplicationSession, ServiceSession } from '../service/application/session';
import { isExpression, readApplicationReference } from '../common/properties';
import { toNodeError } from '../common/errors';
import type { ServiceClient } from '../service/http/client';
import { connect } from '../service/http/connect';
import { groupBy } from '../util/groupBy';

const APPLICATIONS_A_PAGE = 100;

/** Applications for the resource locator, searched and paged by the service. */
export async function searchApplications(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const offset = Number(paginationToken ?? 0);
  const page = await withService(
    this,
    async (client) =>
      await fetchApplications(client, { keyword: filter, offset, limit: APPLICATIONS_A_PAGE }),
  );
  const labels = new Map([
    ['maintenance', ' (under maintenance)'],
    ['stopped', ' (stopped)'],
  ]);
  return {
    results: distinct(page).map(({ id, name, status, overviewText }) => ({
      name: `${name}${labels.get(status) ?? ''}`,
      value: id,
      description: overviewText,
    })),
    ...(page.length === APPLICATIONS_A_PAGE && { paginationToken: String(offset + APPLICATIONS_A_PAGE) }),
  };
}

/** What is listed by name, with the ID behind the names that several have. */
function distinct<T extends { readonly id: string; readonly name: string }>(listed: readonly T[]): T[] {
  const groups = groupBy(listed, ({ name }) => name).filter(({ length }) => length > 1);
  const alike = new Set(groups.flat());
  return listed.map((each) => (alike.has(each) ? { ...each, name: `${each.name} (${each.id})` } : each));
}

/** The labels that applications carry, each below its parent, after the service's own groups. */
export async function getLabels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const labels = await withService(this, fetchLabels);
  return [
    { name: 'All Applications', value: 'all' },
    { name: 'Created by Me', value: 'self' },
    { name: 'My Favorites', value: 'favorite' },
    ...distinct(labels.map((label) => ({ ...label, name: pathOf(label, labels) }))).map(({ id, name }) => ({
      name,
      value: id,
    })),
  ];
}

function pathOf(label: Label, labels: readonly Label[]): string {
  const path = new Set<Label>();
  for (let each: Label | undefined = label; each !== undefined && !path.has(each);) {
    path.add(each);
    const { parentId }: Label = each;
    each = labels.find(({ id }) => id === parentId);
  }
  return [...path]
    .reverse()
    .map(({ name }) => name)
    .join(' / ');
}

async function withService<T>(
  context: ILoadOptionsFunctions,
  load: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  try {
    return await load(await connect(context));
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
}

/** Runs a method with the application chosen in the editor; `null` if none is, or if it is an expression. */
export async function withApplication<T>(
  context: ILoadOptionsFunctions,
  load: (app: ApplicationSession | null) => T | Promise<T>,
): Promise<T> {
  return await withService(context, async (client) => {
    const reference = readApplicationReference(context.getCurrentNodeParameter('application'));
    const isChosen = reference !== '' && !isExpression(reference);
    return await load(isChosen ? await new ServiceSession(client).application(reference) : null);
  });
}
