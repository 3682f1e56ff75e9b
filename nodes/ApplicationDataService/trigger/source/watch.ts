import type { Narrowing } from '../../common/query';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import type { KeyMode, Part } from '../../parts/model/part';
import { listedIdPart } from '../../parts/types/id';
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

/** @throws UserError if lists carry no record IDs. */
export function idPart({ parts, keyMode }: Watch): Part {
  return listedIdPart(parts, keyMode);
}

/** Parts to request of whole records. */
export function wholeParts(watch: Watch): readonly Part[] {
  return [...meantParts(watch)].filter((part) => partKey(part, watch.keyMode) !== '');
}

/** The same, and those that no list can show because they have no key. */
function meantParts(watch: Watch): ReadonlySet<Part> {
  const { wanted, narrowing, updatedPart } = watch;
  const parts = new Set([idPart(watch), ...wanted, ...comparedParts(watch), ...narrowing.searched]);
  return updatedPart === null ? parts : parts.add(updatedPart);
}

/**
 * Parts to request in a scan. The service searches for a keyword in the requested parts, so with a keyword a scan
 * requests the same parts as lists of whole records: both must mean the same records.
 */
export function scanParts(watch: Watch): readonly Part[] {
  if (watch.narrowing.keyword !== undefined) return wholeParts(watch);
  return [idPart(watch), ...comparedParts(watch)];
}

/**
 * In which parts the service searches for the keyword: all, or those by ID. It does not depend on how parts are keyed,
 * which is not known before there is a record.
 */
export function searchedParts(watch: Watch): 'all' | readonly string[] {
  const meant = meantParts(watch);
  const searchable = watch.parts.filter((part) => part.codec.searchable);
  const searched = searchable.filter((part) => meant.has(part));
  return searched.length === searchable.length ? 'all' : searched.map(({ id }) => id).sort();
}

/** Parts without which a record cannot be compared. */
export function comparedParts({ watched, test }: Watch): readonly Part[] {
  return [...new Set([...watched, ...(test?.parts ?? [])])];
}

/** @throws UserError naming a part to compare that no list can show: it would only seem to be watched. */
export function assertWatchable(watch: Watch): void {
  for (const part of comparedParts(watch)) {
    if (partKey(part, watch.keyMode) === '')
      throw unwatchable(
        part,
        'it has no part identifier, and the application uses identifiers as keys',
        "Give it an identifier in the application's settings",
      );
    assertReadable(part, watch.parts, watch.keyMode);
  }
}

/** Makes sure that a list shows the parts to compare: a generated number may be missing (service-facts). */
export function assertShown(
  watch: Watch,
  record: Readonly<Record<string, unknown>>,
  isNarrowed: boolean,
): void {
  const part = comparedParts(watch).find((each) => !Object.hasOwn(record, partKey(each, watch.keyMode)));
  if (part === undefined) return;
  throw isNarrowed
    ? unwatchable(part, 'the service leaves it out of lists', 'Filter by another part')
    : unwatchable(
        part,
        'the service returns revisions only in lists of the first parts, and it is not among them',
        "Move it forward in the application's settings",
      );
}

function unwatchable(part: Part, why: string, advice: string): UserError {
  return new UserError(
    `Part ${namePart(part)} cannot be watched: ${why}`,
    `${advice}, or watch another part.`,
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
