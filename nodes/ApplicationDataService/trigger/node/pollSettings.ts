import type { INode } from 'n8n-workflow';

import type { Values } from '../../common/setting';
import { findPart } from '../../parts/model/lookup';
import type { Part } from '../../parts/model/part';
import { isObject, parseJson } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import type { Application } from '../../service/application/definition';
import { CREDENTIAL_NAME, type ServiceCredential } from '../../service/http/credentials';
import { PAGE_OVERLAP } from '../../service/read/paging';
import type { PollSettings } from '../poll/contract';
import type { Watch } from '../source/watch';
import { hashText } from '../state/ids';
import type { TriggerParameters } from './triggerParameters';
import type { triggerOptions } from './triggerProperties';

/** More items at once would need too much of n8n's memory. The rest comes with the next polls. */
const MOST_RECORDS = 10_000;
/** The same with attachments, which must be downloaded within one poll. */
const MOST_RECORDS_WITH_FILES = 200;

/** What is watched, and where. */
export interface Watched {
  readonly base: string;
  readonly application: Application;
  /** Which credential is used. */
  readonly credential: string;
  readonly watch: Watch;
}

/** What a poll looks for. `isNew`: there is no saved state. */
export function readPollSettings(
  node: INode,
  { base, application, credential, watch }: Watched,
  { events, filters, options }: TriggerParameters,
  isNew: boolean,
): PollSettings {
  const { narrowing, watched, updatedPart, test } = watch;
  const narrowed = narrowing.filter !== undefined || narrowing.keyword !== undefined || test !== null;
  const meant = meantBy(node, filters, application.parts);
  return {
    fingerprint: fingerprint(JSON.stringify({ version: 2, base, application: application.id, ...meant })),
    credential,
    events,
    narrowed,
    watched: watched.map(({ id }) => id),
    emitExisting: isNew && options.startFrom === 'existing',
    maxRecords: maxRecords(options),
    quick:
      updatedPart === null
        ? undefined
        : { part: updatedPart.id, fullScanEveryMs: options.fullScanEvery * 60_000 },
    overlap: PAGE_OVERLAP,
  };
}

/** The credential in use: its ID, and 16 bits of a hash of its key, which do not reveal the key. */
export function credentialNote({ credentials }: INode, { accessKey }: ServiceCredential): string {
  const id = credentials?.[CREDENTIAL_NAME]?.id ?? '';
  return `${id}:${(hashText(accessKey) & 0xffff).toString(16)}`;
}

function maxRecords({ maxRecordsPerPoll, downloadAttachments }: Values<typeof triggerOptions>): number {
  return maxRecordsPerPoll ?? (downloadAttachments ? MOST_RECORDS_WITH_FILES : MOST_RECORDS);
}

function fingerprint(text: string): string {
  return `2-${hashText(text).toString(36)}-${hashText([...text].reverse().join('')).toString(36)}`;
}

/**
 * Which records are meant, in one form for everything that means the same: parts by their IDs, and no key that is at
 * its default. A value that an expression gives counts as it is written: one that moves with the date would otherwise
 * start over each day and lose what changed in between.
 * @param resolved the filters with the values of their expressions.
 */
function meantBy({ parameters }: INode, resolved: unknown, parts: readonly Part[]): object {
  const { filters, match } = parameters as Record<string, unknown>;
  const saved: unknown = parameters.options;
  const options = isObject(saved) ? saved : {};
  const written = isObject(filters) ? filters.condition : undefined;
  const conditions = Array.isArray(written)
    ? written.map((each, index) => conditionMeant(each, resolvedAt(resolved, index), parts)).sort()
    : readText(filters);
  const keyword = readText(options.keyword).trim();
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(conditions.length > 1 && match !== 'all' && match !== undefined && { match }),
    ...jsonMeant(readText(options.filterJson).trim()),
    ...(keyword !== '' && { keyword, ...partsMeant(options.keywordParts, parts) }),
  };
}

function conditionMeant(written: unknown, resolved: unknown, parts: readonly Part[]): string {
  const {
    part,
    operator = 'equals',
    customOperator,
    value,
    valueType = 'value',
  } = isObject(written) ? written : {};
  const named = isObject(resolved) ? readText(resolved.part) : '';
  const isNull = operator === 'isNull' || operator === 'isNotNull';
  const meant = [
    idOf(named === '' ? readText(part) : named, parts),
    operator === 'custom' ? `custom ${readText(customOperator)}` : operator,
    ...(isNull ? [] : [Array.isArray(value) ? value.map(readText).join('\n') : readText(value), valueType]),
  ];
  return JSON.stringify(meant);
}

function resolvedAt(resolved: unknown, index: number): unknown {
  const conditions = isObject(resolved) ? resolved.condition : undefined;
  return Array.isArray(conditions) ? (conditions as unknown[])[index] : undefined;
}

function jsonMeant(text: string): object {
  const parsed = text.startsWith('=') ? undefined : parseJson(text);
  if (text === '' || (isObject(parsed) && JSON.stringify(parsed) === '{"item":[]}')) return {};
  return { filterJson: parsed === undefined ? text : JSON.stringify(parsed) };
}

function partsMeant(chosen: unknown, parts: readonly Part[]): object {
  if (!Array.isArray(chosen)) return readText(chosen) === '' ? {} : { keywordParts: readText(chosen) };
  return chosen.length === 0
    ? {}
    : { keywordParts: chosen.map((each) => idOf(readText(each), parts)).sort() };
}

/** The ID of a part that is named by its ID, name or identifier; the text itself if there is none. */
function idOf(text: string, parts: readonly Part[]): string {
  try {
    return findPart(parts, text).id;
  } catch {
    return text;
  }
}
