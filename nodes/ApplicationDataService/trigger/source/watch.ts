import { UserError } from '../../util/userError';
import { namePart } from '../../parts/model/errors';
import type { KeyMode, Part } from '../../parts/model/part';
import { partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/model/lookup';
import type { Narrowing } from '../../common/query';
import type { RawRecord } from '../../service/read/records';

/** What of an application is watched. */
export interface Watch {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  readonly narrowing: Omit<Narrowing, 'test'>;
  /**
   * Conditions that the service does not know, checked on each record that is listed or read. They count like its filter: a
   * record that does not meet them keeps its place in the state. `null` for none.
   */
  readonly test: Narrowing['test'];
  /** Parts that the items are to hold. */
  readonly wanted: readonly Part[];
  /** Parts whose change counts as an update; none where every change does. */
  readonly watched: readonly Part[];
  /** Their values are kept from poll to poll. */
  readonly keepsValues: boolean;
  /** The date/time part that the user named for quick polls. */
  readonly updatedPart: Part | null;
}

/** The date/time part by which the last changed records can be listed; `null` where none is known. */
export function newestPart({ parts, updatedPart }: Watch): Part | null {
  if (updatedPart !== null) return updatedPart;
  // The service makes two, created at and updated at, in this order. Taking the wrong one costs requests, no change.
  const system = parts.filter(
    ({ type, system: made, reference }) => type === 'datetime' && made && !reference,
  );
  return system.at(-1) ?? null;
}

/** Parts to ask for in lists of whole records. */
export function wholeParts(watch: Watch): readonly Part[] {
  const newest = newestPart(watch);
  const parts = new Set([
    idPart(watch),
    ...watch.wanted,
    ...comparedParts(watch),
    ...watch.narrowing.searched,
  ]);
  if (newest !== null) parts.add(newest);
  return [...parts].filter((part) => partKey(part, watch.keyMode) !== '');
}

/**
 * Parts to ask for in a scan. The service looks for a keyword in what it is asked for, so with one a scan asks for the
 * same as lists of whole records do: both must mean the same records.
 */
export function scanParts(watch: Watch): readonly Part[] {
  if (watch.narrowing.keyword !== undefined) return wholeParts(watch);
  return [...new Set([idPart(watch), ...comparedParts(watch)])];
}

/** Parts without which a record cannot be compared. */
function comparedParts({ watched, test }: Watch): readonly Part[] {
  return [...watched, ...(test?.parts ?? [])];
}

/**
 * Makes sure that lists show what is compared: a part that they do not show would be watched in appearance only.
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
    if (record !== undefined && !(key in record))
      throw new UserError(
        `Part ${namePart(part)} cannot be watched: the service gives revisions only in lists of the first parts, and it is not among them`,
        "Move the part forward in the application's settings, or watch another part.",
      );
  }
}

/** @throws UserError where lists carry no record ids. */
export function idPart({ parts, keyMode }: Watch): Part {
  return listedIdPart(parts, keyMode);
}
