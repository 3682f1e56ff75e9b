import type { IDataObject } from 'n8n-workflow';

import { partKey } from '../parts/model/keys';
import { ownIdPart } from '../parts/types/id';
import type { KeyMode, Part } from '../parts/model/part';
import { recordReader } from '../parts/record';
import type { PartChoice } from './setting';
import { chosenParts } from '../parts/choose/chosenParts';
import { maskAddress, maskAll } from '../service/http/secrets';
import { fileValues } from '../service/read/attachments';
import type { RawRecord } from '../service/read/recordList';
import { codecOf } from '../parts/codecs';

/** The form of the output records, as set in the options. Absent options mean their defaults. */
export interface PresentOptions {
  /** False for the service's own object, untouched, in place of the simplified record. */
  readonly simplify?: boolean;
  readonly partsToReturn?: PartChoice;
  readonly loadReferenceLists?: boolean;
}

/** Turns a record of the service into the json of an item. `id` is its id, where the record may not carry it. */
export type RecordPresenter = (record: RawRecord, id?: string) => IDataObject;

/**
 * How records of an application are passed on: narrowed to the parts to return, whatever else the service returned.
 * @param keyMode `null` to find out from each record.
 * @throws PartLookupError or UserError when the options name a part that does not exist or is not returned.
 */
export function recordPresenter(
  parts: readonly Part[],
  keyMode: KeyMode | null,
  { simplify, partsToReturn = [], loadReferenceLists }: PresentOptions,
): RecordPresenter {
  const wanted = chosenParts(parts, partsToReturn, keyMode);
  const narrow = wanted.length === 0 ? same : without(unwantedKeys(parts, wanted, keyMode));
  if (simplify === false) return (record) => ({ ...narrow(record) }) as IDataObject;
  const read = recordReader(parts, { keyMode, referenceListsLoaded: loadReferenceLists !== false });
  const hasFiles = parts.some((part) =>
    [part, ...part.children].some((each) => codecOf(each).holds === 'files'),
  );
  return (record, id) => {
    const json = read(narrow(record), id);
    if (json.partErrors !== undefined) json.partErrors = maskAll(json.partErrors);
    if (!hasFiles) return json;
    for (const file of fileValues(json, parts, keyMode))
      if (typeof file.url === 'string') file.url = maskAddress(file.url);
    return json;
  };
}

function same(record: RawRecord): RawRecord {
  return record;
}

/** Leaves out keys. Most records hold none of them, because the service narrowed them already: these are not copied. */
function without(unwanted: ReadonlySet<string>): (record: RawRecord) => RawRecord {
  return (record) =>
    Object.keys(record).some((key) => unwanted.has(key))
      ? Object.fromEntries(Object.entries(record).filter(([key]) => !unwanted.has(key)))
      : record;
}

/** Keys of the parts that were not chosen; the ID part stays, as the record's id. */
function unwantedKeys(parts: readonly Part[], wanted: readonly Part[], keyMode: KeyMode | null): Set<string> {
  const kept = new Set<Part | null>([...wanted, ownIdPart(parts)]);
  const modes: readonly KeyMode[] = keyMode === null ? ['name', 'identifier'] : [keyMode];
  const keysOf = (part: Part): string[] => modes.map((mode) => partKey(part, mode));
  const keptKeys = new Set([...kept].flatMap((part) => (part === null ? [] : keysOf(part))));
  const others = parts.filter((part) => !kept.has(part)).flatMap(keysOf);
  return new Set(others.filter((key) => key !== '' && !keptKeys.has(key)));
}
