import type { KeyMode, Part } from '../../parts/model/part';
import { partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/model/lookup';
import type { Narrowing } from '../../common/query';

/** What of an application is watched. */
export interface Watch {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  readonly narrowing: Narrowing;
  /** Parts that the items are to hold. */
  readonly wanted: readonly Part[];
  /** Parts whose change counts as an update; none where every change does. */
  readonly watched: readonly Part[];
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
  const { wanted, watched, narrowing } = watch;
  const newest = newestPart(watch);
  const parts = new Set([idPart(watch), ...wanted, ...watched, ...narrowing.searched]);
  if (newest !== null) parts.add(newest);
  return [...parts].filter((part) => partKey(part, watch.keyMode) !== '');
}

/**
 * Parts to ask for in a scan. The service looks for a keyword in what it is asked for, so with one a scan asks for the
 * same as lists of whole records do: both must mean the same records.
 */
export function scanParts(watch: Watch): readonly Part[] {
  if (watch.narrowing.keyword !== undefined) return wholeParts(watch);
  return [...new Set([idPart(watch), ...watch.watched])].filter(
    (part) => partKey(part, watch.keyMode) !== '',
  );
}

/** @throws UserError where lists carry no record ids. */
export function idPart({ parts, keyMode }: Watch): Part {
  return listedIdPart(parts, keyMode);
}
