import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import {
  fetchApplications,
  fetchLabels,
  type ApplicationSummary,
  type Label,
} from '../service/application/definition';
import { withService } from './withService';

const PAGE_LENGTH = 100;

/** Applications for the resource locator, searched and paged by the service. */
export async function searchApplications(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const offset = Number(paginationToken ?? 0);
  const page = await withService(
    this,
    async (client) => await fetchApplications(client, { keyword: filter, offset, limit: PAGE_LENGTH }),
  );
  return {
    results: page.map((application) => ({
      name: label(application),
      value: application.id,
      description: application.overviewText,
    })),
    ...(page.length === PAGE_LENGTH && { paginationToken: String(offset + PAGE_LENGTH) }),
  };
}

function label({ name, status }: ApplicationSummary): string {
  if (status === 'maintenance') return `${name} (under maintenance)`;
  return status === 'stopped' ? `${name} (stopped)` : name;
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
