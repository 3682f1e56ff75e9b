import { UserError } from '../../util/userError';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import { listedIdPart } from '../../parts/types/id';
import type { KeyMode, Part } from '../../parts/model/part';
import type { Narrowing } from '../../common/query';
import type { ListAbilities } from '../../service/application/session';
import type { RawRecord } from '../../service/read/recordList';

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

/** Parts to request in lists of whole records. */
export function wholeParts(watch: Watch): readonly Part[] {
  const { wanted, narrowing, updatedPart } = watch;
  const parts = new Set([idPart(watch), ...wanted, ...comparedParts(watch), ...narrowing.searched]);
  if (updatedPart !== null) parts.add(updatedPart);
  return [...parts].filter((part) => partKey(part, watch.keyMode) !== '');
}

/**
 * Parts to request in a scan. The service searches for a keyword in the requested parts, so with a keyword a scan
 * requests the same parts as lists of whole records: both must mean the same records.
 */
export function scanParts(watch: Watch): readonly Part[] {
  if (watch.narrowing.keyword !== undefined) return wholeParts(watch);
  return [...new Set([idPart(watch), ...comparedParts(watch)])];
}

/** Parts without which a record cannot be compared. */
export function comparedParts({ watched, test }: Watch): readonly Part[] {
  return [...watched, ...(test?.parts ?? [])];
}

/**
 * Makes sure that lists show the parts to compare. A part that they do not show would only seem to be watched.
 * @throws UserError naming the part.
 */
export function assertListed(watch: Watch, record?: RawRecord): void {
  for (const part of comparedParts(watch)) {
    const key = partKey(part, watch.keyMode);
    if (key === '')
      throw new UserError(
        `Part ${namePart(part)} cannot be watched: it has no part identifier, and the application uses identifiers as keys`,
        "Give the part an identifier in the application's settings, or watch another part.",
      );
    assertReadable(part, watch.parts, watch.keyMode);
    if (record !== undefined && !Object.hasOwn(record, key))
      throw new UserError(
        `Part ${namePart(part)} cannot be watched: the service returns revisions only in lists of the first parts, and it is not among them`,
        "Move the part forward in the application's settings, or watch another part.",
      );
  }
}

/** @throws UserError if lists carry no record IDs. */
export function idPart({ parts, keyMode }: Watch): Part {
  return listedIdPart(parts, keyMode);
}

/** What is known of a service for some minutes, with the part definitions; absent if not known yet. */
export interface Capabilities extends ListAbilities {
  /** Lists narrowed by `fields` carry the revision. */
  revisionInLists?: boolean;
  /** The ID part can be filtered by several IDs at once. */
  takesIds?: boolean;
}

/** Without `fields`, the service searches for a keyword in all parts. @throws UserError if other parts are wanted. */
export function assertSameSearch(watch: Watch): void {
  const asked = wholeParts(watch);
  const unwanted = watch.parts.find((part) => part.codec.searchable && !asked.includes(part));
  if (unwanted === undefined) return;
  throw new UserError(
    'The search cannot be limited to the keyword parts: this service returns revisions only in lists of all parts, and searches all of them',
    'Remove the keyword parts and the parts to return, or use a filter instead of the keyword.',
  );
}
