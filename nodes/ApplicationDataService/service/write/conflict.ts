import { holds, storedText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part, WriteContext } from '../../parts/model/part';
import { describeValues } from '../../parts/values/describe';
import { UserError } from '../../util/userError';
import { valueOf } from '../../parts/types/entries';
import type { CurrentRecord } from '../read/records';

/** What to do when the record has changed since the item's revision. */
export type ConflictPolicy = 'overwrite' | 'fail' | 'skip' | 'merge';

/** A record that has moved on since the item was read. */
export class ConflictError extends UserError {
  constructor(
    message: string,
    description: string,
    readonly ids: readonly string[],
  ) {
    super(message, description);
  }

  override reworded(message: string, description: string = this.description): ConflictError {
    return new ConflictError(message, description, this.ids);
  }
}

/** An update held against a record that has moved on. */
export interface Conflict {
  readonly policy: ConflictPolicy;
  /** Revision that the item goes by. */
  readonly revision: number;
  readonly current: CurrentRecord;
  /** What is written, and what is emptied. */
  readonly values: readonly EncodedPart[];
  readonly emptied: readonly Part[];
  /** The item's json: where it holds a part under its key, that is the value that the item goes by. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
  readonly context: WriteContext;
}

/**
 * `conflict` passes the item on, `write` writes on the current revision.
 * @throws ConflictError if the policy is to fail, or to merge and the same parts were changed. It names both revisions
 * and the parts that differ.
 */
export function resolveConflict(conflict: Conflict): 'conflict' | 'write' {
  const { policy, values, emptied, revision, current } = conflict;
  if (policy === 'skip') return 'conflict';
  const written = [
    ...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part),
    ...emptied,
  ];
  const touched = written.filter((part) => !isUntouched(conflict, part));
  if (policy !== 'fail' && touched.length === 0) return 'write';
  const differing = policy === 'fail' ? differentParts(conflict, written) : touched;
  const names = describeValues(differing.map(({ name }) => name)) || 'none of the parts to write';
  throw new ConflictError(
    `The record ${current.id} was changed in the meantime: the item has revision ${revision}, the service ${current.revision}. Different since then: ${names}`,
    policy === 'merge'
      ? 'Only parts that were not changed are merged. Read the record again and decide which value is right.'
      : 'Read the record again, or select something else under "If the Record Was Changed".',
    [current.id],
  );
}

/** Parts that differ from what the item knows of them, else from what they are to be; not the service's own. */
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
  if (before === undefined || now === undefined) return false;
  // A download adds the names of binary fields to files (parameters.md, "Record > Get").
  const isName = (key: string, value: unknown): boolean =>
    key === 'binary' && /^attachment_\d+$/.test(String(value));
  const text = JSON.stringify(before, (key, value: unknown) => (isName(key, value) ? undefined : value));
  if (text === JSON.stringify(now)) return true;
  return (
    part.codec.content === undefined && storedText(part, before, context) === storedText(part, now, context)
  );
}
