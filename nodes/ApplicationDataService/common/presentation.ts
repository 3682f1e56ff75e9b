import type { BinaryHelperFunctions, IBinaryData, IDataObject } from 'n8n-workflow';

import { chosenParts } from '../parts/choose';
import { possibleKeys, triggerKey } from '../parts/model/keys';
import type { KeyMode, Part } from '../parts/model/part';
import { recordReader } from '../parts/record';
import { ownIdPart } from '../parts/types/id';
import { setOwn } from '../parts/values/shapes';
import type { ApplicationSession } from '../service/application/session';
import {
  type AttachedFile,
  fetchAttachments,
  type KeepFile,
  type SomeAttachments,
} from '../service/read/attachments';
import type { RawRecord } from '../service/read/recordList';
import type { PartChoice } from './setting';

interface PresentOptions {
  readonly partsToReturn?: PartChoice;
  readonly loadReferenceLists?: boolean;
}

interface RecordPresenter {
  /** @param id of the record, which may not carry it */
  readonly simplify: (record: RawRecord, id?: string) => IDataObject;
  /** The service's own object, untouched. */
  readonly raw: (record: RawRecord) => IDataObject;
}

/** How records are passed on, narrowed to the parts to return. @throws UserError for one that cannot be returned */
export function recordPresenter(
  parts: readonly Part[],
  keyMode: KeyMode | null,
  { partsToReturn = [], loadReferenceLists = true }: PresentOptions = {},
): RecordPresenter {
  const chosen = chosenParts(parts, partsToReturn, keyMode);
  const kept = new Set<Part | null>([...(chosen.length > 0 ? chosen : parts), ownIdPart(parts)]);
  const keysOf = (isKept: boolean): readonly string[] =>
    parts.filter((part) => kept.has(part) === isKept).flatMap((part) => possibleKeys(part, keyMode));
  const keptKeys = new Set(keysOf(true));
  const unwanted = new Set(keysOf(false).filter((key) => !keptKeys.has(key)));
  // Most records hold none of them, because the service narrowed them already: these are not copied.
  const narrow = (record: RawRecord): RawRecord =>
    unwanted.size > 0 && Object.keys(record).some((key) => unwanted.has(key))
      ? Object.fromEntries(Object.entries(record).filter(([key]) => !unwanted.has(key)))
      : record;
  const read = recordReader(parts, { keyMode, referenceListsLoaded: loadReferenceLists });
  return {
    simplify: (record, id) => read(narrow(record), id),
    raw: (record) => ({ ...narrow(record) }) as IDataObject,
  };
}

/** The nodes' own keys before the parts, and behind them: parameters.md, "Order of keys". */
const FIRST = ['event', 'id', 'outcome'];
const LAST = ['changes', 'previous', 'partErrors', 'revision', 'previousRevision', 'canWrite', 'canDelete'];
/** The key after which no part values follow in a simplified record. */
const AFTER_PARTS: ReadonlySet<string> = new Set(['partErrors', 'revision']);

/** A simplified record with a node's `own` keys, which go before its own: each in its place, the others at the end. */
export function recordItem(record: IDataObject, own: IDataObject, keyOf = (key: string) => key): IDataObject {
  const keys = Object.keys(record);
  const end = [...keys, 'revision'].findIndex((key) => AFTER_PARTS.has(key));
  const values = keys.slice(0, end).filter((key) => key !== 'id');
  const others = keys.slice(end).filter((key) => !LAST.includes(key));
  const item: IDataObject = {};
  const place = (key: string): void => {
    if (Object.hasOwn(own, key)) item[key] = own[key];
    else if (key !== 'previous' && Object.hasOwn(record, key)) item[key] = record[key];
  };
  FIRST.forEach(place);
  for (const key of values) setOwn(item, keyOf(key), record[key]);
  LAST.forEach(place);
  for (const key of Object.keys(own)) item[key] = own[key];
  for (const key of others) setOwn(item, keyOf(key), record[key]);
  return item;
}

export type ChangeSummary = IDataObject & { readonly event: string; readonly id: string };

/** Turns changes into items, for all triggers alike, with files one by one. @throws UserError as `recordPresenter` */
export function changePresenter(
  app: ApplicationSession,
  keyMode: KeyMode | null,
  options: PresentOptions & { readonly simplify?: boolean },
): (
  summary: ChangeSummary,
  record: RawRecord,
  fetch: ((file: AttachedFile) => Promise<IBinaryData>) | null,
) => Promise<SomeAttachments & { readonly json: IDataObject }> {
  const { simplify, raw } = recordPresenter(app.application.parts, keyMode, options);
  return async (summary, record, fetch) => {
    const { id } = summary;
    const simplified = simplify(record, id);
    const json =
      options.simplify === false
        ? { ...summary, record: raw(record) }
        : recordItem(simplified, summary, triggerKey);
    if (fetch === null) return { json, binary: {}, failures: [] };
    const flow = { limit: 1, stopOnError: false };
    const [files] = await fetchAttachments(app, [{ id, json: simplified }], keyMode, fetch, flow);
    return { json, ...files! };
  };
}

export function keepBinary({ helpers }: { readonly helpers: BinaryHelperFunctions }): KeepFile<IBinaryData> {
  return async (content, name, type) => await helpers.prepareBinaryData(content, name, type);
}
