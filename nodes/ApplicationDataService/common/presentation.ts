import type { BinaryHelperFunctions, IBinaryData, IDataObject } from 'n8n-workflow';

import { possibleKeys, triggerKey, withoutTriggerKeys } from '../parts/model/keys';
import { ownIdPart } from '../parts/types/id';
import type { KeyMode, Part } from '../parts/model/part';
import { recordReader } from '../parts/record';
import type { PartChoice } from './setting';
import { chosenParts } from '../parts/choose';
import { fetchAttachments, type SomeAttachments } from '../service/read/attachments';
import type { RawRecord } from '../service/read/recordList';
import { setOwn } from '../parts/values/shapes';
import type { ApplicationSession } from '../service/application/session';
import type { AttachedFile, KeepFile } from '../service/read/download';

/** The form of the output records, as set in the options. Absent options mean their defaults. */
export interface PresentOptions {
  /** False for the service's own object, untouched, in place of the simplified record. */
  readonly simplify?: boolean;
  readonly partsToReturn?: PartChoice;
  readonly loadReferenceLists?: boolean;
}

/** Turns a record of the service into the json of an item. `id` is its id, where the record may not carry it. */
type RecordPresenter = (record: RawRecord, id?: string) => IDataObject;

/**
 * How records of an application are passed on: narrowed to the parts to return, whatever else the service returned.
 * @param keyMode `null` to find out from each record.
 * @throws UserError when the options name a part that does not exist or is not returned.
 */
export function recordPresenter(
  parts: readonly Part[],
  keyMode: KeyMode | null,
  { simplify, partsToReturn = [], loadReferenceLists }: PresentOptions,
): RecordPresenter {
  const unwanted = unwantedKeys(parts, chosenParts(parts, partsToReturn, keyMode), keyMode);
  // Most records hold none of them, because the service narrowed them already: these are not copied.
  const narrow = (record: RawRecord): RawRecord =>
    unwanted.size > 0 && Object.keys(record).some((key) => unwanted.has(key))
      ? Object.fromEntries(Object.entries(record).filter(([key]) => !unwanted.has(key)))
      : record;
  if (simplify === false) return (record) => ({ ...narrow(record) }) as IDataObject;
  const read = recordReader(parts, { keyMode, referenceListsLoaded: loadReferenceLists !== false });
  return (record, id) => read(narrow(record), id);
}

/** Keys of the parts that were not chosen, if any were; the ID part stays, as the record's id. */
function unwantedKeys(parts: readonly Part[], wanted: readonly Part[], keyMode: KeyMode | null): Set<string> {
  if (wanted.length === 0) return new Set();
  const kept = new Set<Part | null>([...wanted, ownIdPart(parts)]);
  const keysOf = (isKept: boolean): readonly string[] =>
    parts.filter((part) => kept.has(part) === isKept).flatMap((part) => possibleKeys(part, keyMode));
  const keptKeys = new Set(keysOf(true));
  return new Set(keysOf(false).filter((key) => !keptKeys.has(key)));
}

/** The nodes' own keys before the parts, and behind them: parameters.md, "Order of keys". */
const FIRST = ['event', 'id', 'outcome'];
const LAST = ['changes', 'previous', 'partErrors', 'revision', 'previousRevision', 'canWrite', 'canDelete'];

/** The key after which no part values follow in a simplified record. */
const AFTER_PARTS: ReadonlySet<string> = new Set(['partErrors', 'revision']);

/**
 * A simplified record with the keys that a node adds: each in its place, those without a place at the end.
 * @param own keys of the node; one that the record has too takes its place
 * @param keyOf the key under which a part is given
 */
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

/** What a trigger reports about a change in addition to the record. */
export type ChangeSummary = IDataObject & { readonly event: string; readonly id: string };

/** How a trigger outputs records. */
export interface ChangeView {
  readonly app: ApplicationSession;
  readonly keyMode: KeyMode | null;
  readonly options: PresentOptions;
}

/**
 * Turns a changed record into the json of an item, in the same way for every trigger.
 * @throws UserError when the options name a part that does not exist or is not returned.
 */
export function changePresenter({
  app,
  keyMode,
  options,
}: ChangeView): (summary: ChangeSummary, record: RawRecord) => IDataObject {
  const present = recordPresenter(app.application.parts, keyMode, options);
  if (options.simplify === false) return (summary, record) => ({ ...summary, record: present(record) });
  return (summary, record) => recordItem(present(record, summary.id), summary, triggerKey);
}

/**
 * Gets the attachments of a changed record, file by file: those that came, and why the others did not. Each file value
 * in `json` gets the name of its binary field; raw output stays untouched.
 * @param json as `changePresenter` made it.
 * @param fetch gets one file.
 */
export async function changeFiles(
  { app, keyMode, options }: ChangeView,
  { id, json, record }: ItemOfRecord,
  fetch: (file: AttachedFile) => Promise<IBinaryData>,
): Promise<SomeAttachments> {
  // For raw output, the file values are in the simplified record.
  const withFileValues =
    options.simplify === false
      ? recordPresenter(app.application.parts, keyMode, { ...options, simplify: true })(record, id)
      : withoutTriggerKeys(json);
  // One by one: the time of one file is not that of another.
  const flow = { limit: 1, stopOnError: false };
  const [fetched] = await fetchAttachments(app, [{ id, json: withFileValues }], keyMode, fetch, flow);
  return fetched!;
}

/** Keeps downloaded files in n8n's binary store. */
export function keepBinary({ helpers }: { readonly helpers: BinaryHelperFunctions }): KeepFile<IBinaryData> {
  return async (content, name, type) => await helpers.prepareBinaryData(content, name, type);
}

export interface ItemOfRecord {
  readonly id: string;
  readonly json: IDataObject;
  readonly record: RawRecord;
}
