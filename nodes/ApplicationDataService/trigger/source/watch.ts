import type { Narrowing } from '../../common/query';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { UserError } from '../../util/userError';

/** What is watched in an application. */
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
export function assertShown(watch: Watch, record: Readonly<Record<string, unknown>>): void {
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
