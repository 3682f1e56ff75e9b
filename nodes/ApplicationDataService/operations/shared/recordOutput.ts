import type { IDataObject } from 'n8n-workflow';

import { partKey } from '../../parts/keys';
import { findPart, ownIdPart } from '../../parts/lookup';
import type { KeyMode, Part } from '../../parts/part';
import { recordReader } from '../../parts/record';
import type { ApplicationSession } from '../../service/session';
import type { RawRecord } from '../../service/records';
import type { ItemRun } from '../run/itemRun';

/** Turns the service's records into the json of items. */
export type RecordPresenter = (record: RawRecord, id?: string) => IDataObject;

/** The parts named in `partsToReturn`, or all. */
export function chosenParts(item: ItemRun, app: ApplicationSession, option: string): readonly Part[] {
  const chosen = item.options()[option];
  const texts = Array.isArray(chosen) ? chosen.map(String) : [];
  return texts.length === 0
    ? app.application.parts
    : texts.map((text) => findPart(app.application.parts, text));
}

/**
 * How an item wants its records: simplified or raw, with the parts it chose.
 * @param keyMode `null` to find out from each record.
 */
export function recordPresenter(
  item: ItemRun,
  app: ApplicationSession,
  keyMode: KeyMode | null,
): RecordPresenter {
  const options = item.options();
  if (options.output === 'raw') return (record) => ({ ...record }) as IDataObject;
  const { parts } = app.application;
  const wanted = chosenParts(item, app, 'partsToReturn');
  const read = recordReader(parts, { keyMode, referenceListsLoaded: options.loadReferenceLists !== false });
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
