import type { IDataObject } from 'n8n-workflow';

import { partKey } from '../parts/keys';
import { findPart, ownIdPart } from '../parts/lookup';
import type { KeyMode, Part } from '../parts/part';
import { recordReader } from '../parts/record';
import type { RawRecord } from './records';

/** How records are wanted, as the options of the nodes say it. */
export interface PresentOptions {
  /** The service's own object, untouched, in place of the simplified record. */
  readonly raw: boolean;
  /** IDs, names or identifiers of the parts wanted; all when empty. */
  readonly partsToReturn: readonly string[];
  /** False where reference lists were not loaded. */
  readonly referenceListsLoaded: boolean;
}

/** Turns a record of the service into the json of an item. `id` is its id, where the record may not carry it. */
export type RecordPresenter = (record: RawRecord, id?: string) => IDataObject;

/** Reads the options of a node; what is absent means its default. */
export function readPresentOptions(options: IDataObject): PresentOptions {
  const { output, partsToReturn, loadReferenceLists } = options;
  return {
    raw: output === 'raw',
    partsToReturn: Array.isArray(partsToReturn) ? partsToReturn.map(String) : [],
    referenceListsLoaded: loadReferenceLists !== false,
  };
}

/**
 * The parts that texts name; all where there are no texts.
 * @throws PartLookupError for a text that names no part, or two.
 */
export function chooseParts(parts: readonly Part[], texts: readonly string[]): readonly Part[] {
  return texts.length === 0 ? parts : texts.map((text) => findPart(parts, text));
}

/**
 * How records of an application are given on.
 * @param keyMode `null` to find out from each record.
 * @throws PartLookupError when the options name a part that does not exist.
 */
export function recordPresenter(
  parts: readonly Part[],
  keyMode: KeyMode | null,
  options: PresentOptions,
): RecordPresenter {
  const wanted = chooseParts(parts, options.partsToReturn);
  if (options.raw) return (record) => ({ ...record }) as IDataObject;
  const read = recordReader(parts, { keyMode, referenceListsLoaded: options.referenceListsLoaded });
  if (wanted === parts) return read;
  const unwanted = unwantedKeys(parts, wanted);
  return (record, id) =>
    read(Object.fromEntries(Object.entries(record).filter(([key]) => !unwanted.has(key))), id);
}

/** Keys of the parts that were not chosen; the ID part stays, as the record's id. */
function unwantedKeys(parts: readonly Part[], wanted: readonly Part[]): Set<string> {
  const kept = new Set<Part | null>([...wanted, ownIdPart(parts)]);
  const keysOf = (part: Part): string[] => [partKey(part, 'name'), partKey(part, 'identifier')];
  const keptKeys = new Set([...kept].flatMap((part) => (part === null ? [] : keysOf(part))));
  const others = parts.filter((part) => !kept.has(part)).flatMap(keysOf);
  return new Set(others.filter((key) => key !== '' && !keptKeys.has(key)));
}
