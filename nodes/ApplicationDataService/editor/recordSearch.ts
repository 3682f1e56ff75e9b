import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { locatedIds } from '../common/properties';
import { findAttachmentPart, findTablePart } from '../parts/choose';
import { readableText } from '../parts/codecs';
import { outputKey, partKey } from '../parts/model/keys';
import { listedIdPart } from '../parts/types/id';
import type { KeyMode, Part } from '../parts/model/part';
import { recordReader } from '../parts/record';
import { shorten } from '../parts/values/describe';
import { type Entry, ownValue, readText } from '../parts/values/shapes';
import type { ApplicationSession } from '../service/application/session';
import { isRefusal } from '../service/http/errors';
import { askWhyRefused } from '../service/read/notThere';
import { listRecords, partFields } from '../service/read/recordList';
import { readFiles, readRecord, rowsIn, simplifyRows } from '../service/read/records';
import { nullIf } from '../util/concurrently';
import { UserError } from '../util/userError';
import { withApplication } from './applicationLists';

type Found = Promise<INodeListSearchResult>;

const RECORDS_A_PAGE = 50;
/** How many short parts are requested, and how many of their values are shown. */
const MAX_PARTS_ASKED = 8;
const MAX_PARTS_SHOWN = 3;
const MAX_VALUE_LENGTH = 40;

/** Records for the locator, newest first, searched and paged by the service. A number also finds that ID. */
export async function searchRecords(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Found {
  return await withApplication(this, async (app) => {
    if (app === null) throw notSelected('records', 'the application');
    return await page(app, filter?.trim() ?? '', Number(paginationToken ?? 0));
  });
}

async function page(app: ApplicationSession, keyword: string, offset: number): Found {
  const { parts } = app.application;
  const keyMode = await app.readListMode();
  const idPart = listedIdPart(parts, keyMode);
  const shown = shortParts(parts);
  // The service searches for the keyword in the requested parts.
  const searched = keyword === '' ? [] : parts.filter(({ codec }) => codec.searchable === true);
  const fields = app.lacksKeys
    ? undefined
    : partFields([idPart, ...new Set([...shown, ...searched])], keyMode);
  const query = { keyword, sort: { part: idPart, order: 'desc' } } as const;
  const wanted = idIn(keyword);
  const [listed, byId] = await Promise.all([
    listRecords(app, query, { offset, limit: RECORDS_A_PAGE }, fields),
    wanted === null || offset > 0 ? null : nullIf(isRefusal, readRecord(app, wanted, false)),
  ]);
  const read = recordReader(parts, { keyMode, referenceListsLoaded: false });
  // The first page already contains it.
  const givenBefore = byId !== null || offset > 0 ? wanted : null;
  const records = listed.map((record) => read(record)).filter(({ id }) => id !== null && id !== givenBefore);
  if (byId !== null) records.push(read(byId, wanted ?? ''));
  records.sort((one, other) => Number(other.id) - Number(one.id));
  return {
    results: records.map((record) => ({
      name: nameOf(record, shown, keyMode),
      value: readText(record.id),
    })),
    ...(listed.length === RECORDS_A_PAGE && { paginationToken: String(offset + RECORDS_A_PAGE) }),
  };
}

/** The ID that a keyword may be, as the service writes it; digits of any width. */
function idIn(keyword: string): string | null {
  const digits = keyword.normalize('NFKC');
  return /^\d+$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : null;
}

/** What the service can sort by is short enough to be shown. */
function shortParts(parts: readonly Part[]): Part[] {
  const isShort = (part: Part): boolean => part.codec.sortable === true && part.codec.content === undefined;
  return parts.filter((part) => !part.system && isShort(part)).slice(0, MAX_PARTS_ASKED);
}

function nameOf(record: Entry, shown: readonly Part[], keyMode: KeyMode): string {
  const texts = shown
    .map((part) => readableText(part, ownValue(record, outputKey(partKey(part, keyMode)))))
    .filter((text) => text !== '')
    .slice(0, MAX_PARTS_SHOWN)
    .map((text) => shorten(text, MAX_VALUE_LENGTH));
  const id = `(${readText(record.id)})`;
  return texts.length === 0 ? id : `${texts.join(' · ')} ${id}`;
}

/** Rows of the chosen record for the locator, by what they say. Those without an ID cannot be chosen. */
export async function searchRows(this: ILoadOptionsFunctions, filter?: string): Found {
  return await inRecord(this, 'rows', filter, async (app, recordId) => {
    const { parts } = app.application;
    const table = chosenTable(this, parts);
    if (table === null) return null;
    const { record, keyMode } = await simplifyRows(app, await readRecord(app, recordId, false), recordId);
    const shown = shortParts(table.children);
    return rowsIn(record, parts, table, keyMode, '').map((row) => ({
      name: nameOf(row, shown, keyMode),
      value: readText(row.id),
    }));
  });
}

/** Files of the chosen part for the locator; of a part in a table part, those of the chosen row, or of all. */
export async function searchFiles(this: ILoadOptionsFunctions, filter?: string): Found {
  return await inRecord(this, 'files', filter, async (app, recordId) => {
    const text = chosenText(this, 'attachmentPart');
    if (text === '') return null;
    const place = findAttachmentPart(app.application.parts, text);
    const rowId = place.table === null ? '' : chosenText(this, 'rowId');
    const files = await readFiles(app, recordId, place, rowId);
    return files.map(({ id, name }) => ({ name: `${name} (${id})`, value: id }));
  });
}

async function inRecord(
  context: ILoadOptionsFunctions,
  what: 'rows' | 'files',
  filter: string | undefined,
  read: (app: ApplicationSession, recordId: string) => Promise<INodeListSearchResult['results'] | null>,
): Found {
  return await withApplication(context, async (app) => {
    const recordId = chosenText(context, 'recordId');
    const all = app === null || recordId === '' ? null : await read(app, recordId).catch(wordsFor(app));
    if (all === null) throw notSelected(what, 'the application, the record or the part');
    const wanted = (filter ?? '').trim().toLowerCase();
    return { results: all.filter(({ name, value }) => value !== '' && name.toLowerCase().includes(wanted)) };
  });
}

/** Throws a refusal of a record in words for a person, any other failure as it is. */
function wordsFor(app: ApplicationSession): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!isRefusal(error) || error.details.explain === undefined) throw error;
    const [inWords = error] = await askWhyRefused(app, [error]);
    throw inWords;
  };
}

function notSelected(what: string, missing: string): UserError {
  return new UserError(
    `The ${what} cannot be listed: ${missing} is not selected yet`,
    'Select it first. If it is an expression, enter the ID instead.',
  );
}

function chosenTable(context: ILoadOptionsFunctions, parts: readonly Part[]): Part | null {
  const isAttachment = context.getCurrentNodeParameter('resource') === 'attachment';
  const text = chosenText(context, isAttachment ? 'attachmentPart' : 'tablePart');
  if (text === '') return null;
  return isAttachment ? findAttachmentPart(parts, text).table : findTablePart(parts, text);
}

function chosenText(context: ILoadOptionsFunctions, name: string): string {
  const text = readText(locatedIds(context.getCurrentNodeParameter(name))).trim();
  return text.startsWith('=') ? '' : text;
}
