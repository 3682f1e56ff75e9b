import { type Part } from '../../parts/model/part';
import { readPart } from '../../parts/codecs';
import { isObject, readItems, readText } from '../../parts/values/shapes';
import type { Answer } from '../http/answer';
import { callForList, MAX_LIST_LENGTH, type ServiceClient } from '../http/client';
import { isRefusal, ServiceError } from '../http/errors';
import { filled } from '../http/multipart';

export interface ApplicationSummary {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly overviewText: string;
  readonly portalIcon: string;
  readonly palletMenuIcon: string;
}

export interface Application extends Omit<ApplicationSummary, 'overviewText'> {
  readonly overview: string;
  readonly parts: readonly Part[];
  readonly raw: Answer;
}

/** Whether it is running. A service that does not report the status has answered properly so far. */
export function isRunning({ status }: Pick<Application, 'status'>): boolean {
  return status === 'running' || status === '';
}

/** An application under maintenance, or stopped, may leave records out or refuse them: then nothing is proven. */
export class NotRunningError extends ServiceError {
  constructor({ name, status }: Application) {
    super(
      'refused',
      `The application "${name}" is not running (${status})`,
      'A record that it does not return may still exist. Run the workflow again when the application is running.',
    );
  }
}

export async function assertRunning(client: ServiceClient, reference: string): Promise<void> {
  const application = await fetchApplication(client, reference);
  if (!isRunning(application)) throw new NotRunningError(application);
}

export interface Label {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** `null` at the top. */
  readonly parentId: string | null;
}

/** Filters of `list_apps`. Empty texts do not narrow the list; a label is an ID, `all`, `self`, or `favorite`. */
export type ApplicationQuery = Readonly<
  Partial<{ keyword: string; label: string; offset: number; limit: number }>
>;

/** Reads an application (interface.md, "get_app"). @param asStream so that the client can make streams, too */
export async function fetchApplication(
  client: ServiceClient,
  reference: string,
  asStream = false,
): Promise<Application> {
  const fields = filled({ app_id: reference });
  const call = asStream ? client.callStreamed('get_app', fields) : client.call('get_app', fields);
  const raw = await call.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    // No number of the service tells why, and its list of applications holds no identifiers to look for.
    throw error.reworded(
      `The application ${reference} cannot be read. ${error.message}`,
      'Select the application from the list. It may have been deleted, or you have no right to use it.',
    );
  });
  return {
    ...summaryOf(raw),
    overview: readText(raw.overview),
    ...iconsOf(raw),
    parts: readItems(raw.fields).map(readPart),
    raw,
  };
}

/** One page of the applications that the user may see (interface.md, "list_apps"). */
export async function fetchApplications(
  client: ServiceClient,
  query: ApplicationQuery,
): Promise<ApplicationSummary[]> {
  const { label, keyword, offset = 0, limit = MAX_LIST_LENGTH } = query;
  const range = { offset: offset === 0 ? '' : String(offset), limit: String(limit) };
  const fields = filled({ label_id: label, keyword, ...range });
  const listed = (await callForList(client, 'list_apps', fields)).filter(isObject);
  // The order is that of the nodes' output.
  return listed.map((raw) => ({
    ...summaryOf(raw),
    overviewText: readText(raw.overview_text),
    ...iconsOf(raw),
  }));
}

function summaryOf(raw: Answer): Pick<ApplicationSummary, 'id' | 'name' | 'status'> {
  return { id: readText(raw.id), name: readText(raw.name), status: readText(raw.app_status) };
}

function iconsOf(raw: Answer): Pick<ApplicationSummary, 'portalIcon' | 'palletMenuIcon'> {
  return { portalIcon: readText(raw.portal_icon), palletMenuIcon: readText(raw.pallet_menu_icon) };
}

/** All labels (interface.md, "list_applabels"). */
export async function fetchLabels(client: ServiceClient): Promise<Label[]> {
  return (await callForList(client, 'list_applabels', [])).filter(isObject).map((raw) => ({
    id: readText(raw.id),
    name: readText(raw.name),
    color: readText(raw.color),
    parentId: readText(raw.parent_id) || null,
  }));
}
