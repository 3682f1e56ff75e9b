import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { fetchApplications, type ApplicationSummary } from '../service/application/definition';
import { withService } from './withService';

/** Entries the dropdown loads at once; more come as the user scrolls. */
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

/** The status is shown if the application cannot be used. */
function label({ name, status }: ApplicationSummary): string {
  if (status === 'maintenance') return `${name} (under maintenance)`;
  return status === 'stopped' ? `${name} (stopped)` : name;
}
