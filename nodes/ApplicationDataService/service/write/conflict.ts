import { holds, storedText } from '../../parts/compare';
import type { WriteContext } from '../../parts/model/codec';
import type { Part } from '../../parts/model/part';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { UserError } from '../../util/userError';
import { valueOf, type CurrentRecord } from '../read/current';
import type { EncodedPart } from '../../parts/encode';

/**
 * What to do when the record has changed since the item's revision: write anyway, fail, pass the item on, or write
 * where nobody touched the same parts.
 */
export type ConflictPolicy = 'overwrite' | 'fail' | 'skip' | 'merge';

/** An item's update, held against a record that has moved on. */
export interface Conflict {
  readonly policy: ConflictPolicy;
  /** Revision the item goes by. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts to empty: they are written, too. */
  readonly emptied: readonly Part[];
  /** All parts of the application. */
  readonly parts: readonly Part[];
  /** The item's json: where it carries a part under its key, that is the value the item goes by. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly current: CurrentRecord;
  readonly context: WriteContext;
}

/**
 * Decides a conflict: `conflict` passes the item on, `write` writes on the current revision.
 * @throws UserError if the policy is to fail, or to merge and the same parts were changed. It names both revisions and
 * the parts that differ.
 */
export function resolveConflict(conflict: Conflict): 'conflict' | 'write' {
  const { policy, values, emptied } = conflict;
  if (policy === 'overwrite') return 'write';
  if (policy === 'skip') return 'conflict';
  const written = [
    ...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part),
    ...emptied,
  ];
  const touched = written.filter((part) => !isUntouched(conflict, part));
  if (policy === 'fail') throw changed(conflict, differentParts(conflict, written));
  if (touched.length === 0) return 'write';
  throw changed(conflict, touched);
}

function changed({ policy, current, revision }: Conflict, parts: readonly Part[]): UserError {
  const names = parts.map(({ name }) => `"${name}"`).join(', ');
  if (current.revision < revision) {
    return new UserError(
      `The newest revision of the record ${current.id} is ${current.revision}, but the item has revision ${revision}. Different from the item: ${names || 'none of the parts to write'}`,
      'Nothing was written. The revision may be that of another record: check where the item takes it from, or read the record again.',
    );
  }
  return new UserError(
    `The record ${current.id} was changed by someone else: the item has revision ${revision}, the service ${current.revision}. Different since then: ${names || 'none of the parts to write'}`,
    policy === 'merge'
      ? 'Only parts that nobody else changed are merged. Read the record again and decide which value is right.'
      : 'Nothing was written. Read the record again, or choose something else under "If the Record Was Changed".',
  );
}

/**
 * Every part that differs from what the item knows of it, and of the others those that differ from what they are to be.
 * The service's own parts are left out: they tell of each change.
 */
function differentParts(conflict: Conflict, written: readonly Part[]): readonly Part[] {
  const { known, values, current, context } = conflict;
  return conflict.parts.filter((part) => {
    if (part.system) return false;
    const now = valueOf(current.record, part, context);
    if (valueOf(known, part, context) !== undefined) return now !== undefined && !isUntouched(conflict, part);
    if (!written.includes(part)) return false;
    const value = values.find((each) => each.part === part)?.value;
    return value === undefined || holds(part, value, now, context) !== true;
  });
}

/** Whether a part is known to be as the item last saw it. */
function isUntouched({ known, current, context }: Conflict, part: Part): boolean {
  const before = valueOf(known, part, context);
  const now = valueOf(current.record, part, context);
  return before !== undefined && now !== undefined && isSame(part, before, now, context);
}

function isSame(part: Part, before: SimplifiedValue, now: SimplifiedValue, context: WriteContext): boolean {
  if (JSON.stringify(before) === JSON.stringify(now)) return true;
  return (
    part.type !== 'files' &&
    part.type !== 'input_list' &&
    storedText(part, before, context) === storedText(part, now, context)
  );
}
