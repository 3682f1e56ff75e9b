import { UserError } from '../../util/userError';
import type { WriteContext } from '../../parts/model/codec';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { holds, storedText } from '../../parts/compare';
import type { Part } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/record';
import { valueOf, type CurrentRecord } from '../read/current';

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
  /** The item's json: where it carries a part under its key, that is the value the item goes by. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly current: CurrentRecord;
  readonly context: WriteContext;
}

/**
 * Decides a conflict: `conflict` passes the item on, `write` writes on the current revision.
 * @throws UserError where the policy is to fail, or to merge and the same parts were changed.
 */
export function resolveConflict(conflict: Conflict): 'conflict' | 'write' {
  const { policy, values, current, revision } = conflict;
  if (policy === 'overwrite') return 'write';
  if (policy === 'skip') return 'conflict';
  const written = values.filter(({ value }) => value.kind !== 'keep');
  const touched = written.filter((value) => !isUntouched(conflict, value.part));
  if (policy === 'merge' && touched.length === 0) return 'write';

  const different = policy === 'merge' ? touched : touched.filter((value) => isDifferent(conflict, value));
  const names = different.map(({ part }) => `"${part.name}"`).join(', ');
  const subject = different.length === 0 ? 'none of the parts to write' : names;
  throw new UserError(
    `The record ${current.id} was changed by someone else: the item has revision ${revision}, the service ${current.revision}. Different since then: ${subject}`,
    policy === 'merge'
      ? 'Only parts that nobody else changed are merged. Read the record again and decide which value is right.'
      : 'Nothing was written. Read the record again, or choose another conflict policy.',
  );
}

/** Whether a part is known to be as the item last saw it. */
function isUntouched({ known, current, context }: Conflict, part: Part): boolean {
  const before = valueOf(known, part, context);
  const now = valueOf(current.record, part, context);
  return before !== undefined && now !== undefined && isSame(part, before, now, context);
}

/** Whether a part that may have been touched differs: from what the item knows of it, else from what it is to be. */
function isDifferent({ known, current, context }: Conflict, { part, value }: EncodedPart): boolean {
  if (valueOf(known, part, context) !== undefined) return true;
  return holds(part, value, valueOf(current.record, part, context), context) !== true;
}

function isSame(part: Part, before: SimplifiedValue, now: SimplifiedValue, context: WriteContext): boolean {
  if (JSON.stringify(before) === JSON.stringify(now)) return true;
  return (
    part.type !== 'files' &&
    part.type !== 'input_list' &&
    storedText(part, before, context) === storedText(part, now, context)
  );
}
