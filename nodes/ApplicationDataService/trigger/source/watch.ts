import type { Narrowing } from '../../common/query';
import { hidesCell, meaningOf } from '../../parts/compare';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import type { RecordTest } from '../../parts/conditions/recordTest';
import { revisionIn } from '../../parts/record';
import { asPartValue, partErrorOf } from '../../parts/types/entries';
import { type Entry, isObject, readText, type SimplifiedValue, valOf } from '../../parts/values/shapes';
import type { RawRecord } from '../../service/read/recordList';
import { hashText } from '../../util/hashText';
import { idNumber } from '../../util/ids';
import { UserError } from '../../util/userError';

export interface Watch {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  readonly narrowing: Omit<Narrowing, 'test'>;
  /**
   * Conditions that the service does not know, checked on each record that is listed or read. They work like its
   * filter: a record that does not meet them stays in the state. `null` for none.
   */
  readonly test: Narrowing['test'];
  readonly wanted: readonly Part[];
  /** Parts whose change counts as an update; none if every change does. */
  readonly watched: readonly Part[];
  readonly keepsValues: boolean;
  /** The date/time part by which the last changed records are listed; `null` if the user named none. */
  readonly updatedPart: Part | null;
}

/** Parts of whole records: those to return, to compare, and in which a keyword is searched. */
export function wholeParts(watch: Watch): readonly Part[] {
  const { wanted, narrowing, updatedPart } = watch;
  const parts = new Set([...wanted, ...comparedParts(watch), ...narrowing.searched]);
  return [...(updatedPart === null ? parts : parts.add(updatedPart))];
}

/**
 * Parts to request in a scan. The service searches for a keyword in the requested parts, so with a keyword a scan
 * requests the same parts as lists of whole records: both must mean the same records.
 */
export function scanParts(watch: Watch): readonly Part[] {
  return watch.narrowing.keyword === undefined ? comparedParts(watch) : wholeParts(watch);
}

/**
 * In which parts the service searches for the keyword: all, or those by ID. It does not depend on how parts are keyed,
 * which is not known before there is a record.
 */
export function searchedParts(watch: Watch): 'all' | readonly string[] {
  const meant = new Set(wholeParts(watch));
  const searchable = watch.parts.filter((part) => part.codec.searchable);
  const searched = searchable.filter((part) => meant.has(part));
  return searched.length === searchable.length ? 'all' : searched.map(({ id }) => id).sort();
}

/** Parts without which a record cannot be compared. */
export function comparedParts({ watched, test }: Watch): readonly Part[] {
  return [...new Set([...watched, ...(test?.parts ?? [])])];
}

/** @throws UserError for a part to compare that lists do not show, as may be so with a generated number. */
export function assertShown(watch: Watch, record: Entry): void {
  const part = comparedParts(watch).find((each) => !Object.hasOwn(record, partKey(each, watch.keyMode)));
  if (part !== undefined)
    throw new UserError(
      `Part ${namePart(part)} cannot be watched: the service leaves it out of lists`,
      "Watch or filter by another part, or move this one forward in the application's settings.",
    );
}

/** Without `fields`, the service searches for a keyword in all parts. @throws UserError if other parts are wanted. */
export function assertSearchesAll(watch: Watch): void {
  if (watch.narrowing.keyword === undefined || searchedParts(watch) === 'all') return;
  throw new UserError(
    'The search cannot be limited to the keyword parts: this service returns revisions only in lists of all parts, and searches all of them',
    'Remove the keyword parts and the parts to return, or use a filter instead of the keyword.',
  );
}

/** A record as a list or a read shows it: what is compared of it. */
export interface Version {
  /** Empty if the list does not show it. */
  readonly id: string;
  /** The number that it is; -1 if it is none. */
  readonly number: number;
  /** `null` if it is not shown. */
  readonly revision: number | null;
  /** A 32-bit hash for each watched part, 0 for one in error. */
  readonly hashes: readonly number[];
  /** Values of the watched parts, where these are kept: JSON, empty for a part in error. */
  readonly values?: readonly string[] | undefined;
  /** Whether it meets the conditions that are checked here. */
  readonly meets: ReturnType<RecordTest['judge']>;
  /** Absent if only what is compared was read. */
  readonly record?: RawRecord | undefined;
  /** Value of the date/time part by which the newest are listed; empty if it is not known. */
  readonly updated: string;
}

/** Reads what is compared of a record, a million of them in about a second; keeps the record where it is whole. */
export function versionReader(watch: Watch, idKey: string): (record: RawRecord, isWhole: boolean) => Version {
  const { parts, watched, keyMode, test, updatedPart } = watch;
  const read: ReturnType<typeof watchedReader> =
    watched.length === 0 ? () => ({ hashes: [] }) : watchedReader(watch);
  const revisionIsPart = parts.some((each) => partKey(each, keyMode) === 'revision');
  const updatedKey = updatedPart === null ? '' : partKey(updatedPart, keyMode);
  return (record, isWhole) => {
    const { hashes, values } = read(record);
    const id = readText(valOf(record[idKey]));
    return {
      id,
      number: idNumber(id),
      revision: revisionIn(record, revisionIsPart),
      hashes,
      values,
      meets: test === null ? 'yes' : test.judge(record),
      record: isWhole ? record : undefined,
      updated: updatedPart === null ? '' : textIn(record[updatedKey], updatedPart),
    };
  };
}

function textIn(value: unknown, part: Part): string {
  const read = isObject(value) ? part.codec.read(value, part) : null;
  return typeof read === 'string' ? read : '';
}

/**
 * Reads the meaning of the watched parts: which person or file it is, not how the service writes it. So a renamed user
 * or a new address of a file is not a change. A part, or a cell of it, that is in error cannot be compared.
 */
function watchedReader(watch: Watch): (record: RawRecord) => Pick<Version, 'hashes' | 'values'> {
  const { watched, keyMode, keepsValues } = watch;
  const columns = watched.map((part) => ({ part, key: partKey(part, keyMode) }));
  const hashOf = (value: SimplifiedValue | undefined, index: number): number => {
    const part = watched[index]!;
    return value === undefined
      ? 0
      : hashText(`${part.id}:${JSON.stringify(meaningOf(part, value, keyMode))}`);
  };
  const textOf = (value?: SimplifiedValue): string => (value === undefined ? '' : JSON.stringify(value));
  return (record) => {
    const read = columns.map(({ part, key }) => {
      const value = asPartValue(record[key]);
      if (!Object.hasOwn(record, key) || partErrorOf(value, part) !== '') return undefined;
      const simplified = part.codec.read(value, part, keyMode);
      return hidesCell(simplified) ? undefined : (simplified ?? null);
    });
    return { hashes: read.map(hashOf), ...(keepsValues && { values: read.map(textOf) }) };
  };
}
