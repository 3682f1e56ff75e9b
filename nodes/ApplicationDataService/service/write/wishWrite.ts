import { asUserError, UserError } from '../../util/userError';
import type { SimplifiedRecord } from '../../parts/record';
import { partKey } from '../../parts/model/keys';
import { isObject } from '../../parts/values/shapes';
import { valueOf, type CurrentRecord } from '../read/current';
import { difference, type Difference, type Wish } from './difference';
import type { RecordWrite } from './plan';

/** Times that a record which somebody else has changed is read and compared again. */
const MOST_CONFLICTS = 3;

/** A record as a list shows it. */
export interface ListedRecord {
  readonly id: string;
  /** `null` if lists carry no revision. */
  readonly revision: number | null;
  readonly record: SimplifiedRecord;
}

/**
 * What a listed record lacks of a wish; `null` if only the record itself tells: the list does not show a part, it gives no
 * revision to write under, or rows or files differ, of which it may show less.
 */
export function listedDifference(wish: Wish, listed: ListedRecord): Difference | null {
  if (!showsAll(wish, listed)) return null;
  const found = compared(wish, { ...listed, revision: listed.revision ?? 0 });
  if (found === null || found.values.length === 0) return found;
  const isPlain = found.values.every(({ value }) => value.kind === 'text');
  return isPlain && listed.revision !== null ? found : null;
}

function showsAll({ values, emptied, context }: Wish, { record }: ListedRecord): boolean {
  const parts = [...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part), ...emptied];
  const errors = isObject(record.partErrors) ? record.partErrors : {};
  return parts.every(
    (part) =>
      valueOf(record, part, context) !== undefined || Object.hasOwn(errors, partKey(part, context.keyMode)),
  );
}

/** `null` if rows or files, as they are listed, cannot be compared: the record itself may show more. */
function compared(wish: Wish, current: CurrentRecord): Difference | null {
  try {
    return difference(wish, current);
  } catch (error) {
    asUserError(error);
    return null;
  }
}

/**
 * Makes a record hold what is wished: each round sends what differs, under the revision that was compared.
 * @param listed the record as it was listed; `null` to read it first.
 * @param assertMeant throws where the record, as it is now, is not the one that is meant.
 */
export function wishWrite(
  wish: Wish,
  listed: CurrentRecord | null,
  assertMeant: (current: CurrentRecord) => void,
): RecordWrite {
  let comparedAt: number | null = null;
  let conflicts = 0;
  return {
    ...wish,
    needsCurrent: listed === null,
    plan: (current) => {
      const known = current ?? listed;
      if (known === null) throw new Error('The record was not read');
      if (comparedAt !== null && comparedAt !== known.revision && ++conflicts > MOST_CONFLICTS)
        throw changed(known);
      comparedAt = known.revision;
      if (current !== null) assertMeant(current);
      const { values, otherFiles } = difference(wish, known);
      const outcome = values.length > 0 ? 'updated' : 'unchanged';
      return { outcome, revision: known.revision, values, found: { otherFiles } };
    },
    asked: null,
  };
}

function changed({ id }: CurrentRecord): UserError {
  return new UserError(
    `The record ${id} was changed by someone else before each attempt to write it`,
    'The node read and compared it three times. Run the workflow again when nobody else works on it.',
  );
}
