import { holds, storedText } from '../../parts/compare';
import type { Part } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import { describeValues } from '../../parts/values/describe';
import { ServiceError } from '../http/errors';
import type { ShownRecord } from '../read/records';
import { KEEP } from './files';
import type { Update } from './update';

/**
 * `conflict` passes the item on, `write` writes on the current revision.
 * @throws ServiceError `conflict` if the policy is to fail, or to merge and the same parts were changed: with both
 * revisions and the parts that differ.
 */
export function resolveConflict(update: Update, current: ShownRecord): 'conflict' | 'write' {
  const { policy, values, revision } = update;
  if (policy === 'skip') return 'conflict';
  const written = values.flatMap(({ part, value }) => (value.kind === 'keep' ? [] : part));
  const touched = written.filter((part) => !isUntouched(update, current, part));
  if (policy !== 'fail' && touched.length === 0) return 'write';
  const differing = policy === 'fail' ? differentParts(update, current) : touched;
  const names = describeValues(differing.map(({ name }) => name)) || 'none of the parts to write';
  throw new ServiceError(
    'conflict',
    `The record ${current.id} was changed in the meantime: the item has revision ${revision}, the service ${current.revision}. Different since then: ${names}`,
    policy === 'merge'
      ? 'Only parts that were not changed are merged. Read the record again and decide which value is right.'
      : 'Read the record again, or select something else under "If the Record Was Changed".',
    { ids: [current.id] },
  );
}

/** Parts that differ from what the item knows of them, else from what they are to be; not the service's own. */
function differentParts(update: Update, current: ShownRecord): readonly Part[] {
  const { known, values, context } = update;
  return update.parts.filter((part) => {
    if (part.system) return false;
    const now = valueOf(current.record, part, context);
    if (valueOf(known, part, context) !== undefined)
      return now !== undefined && !isUntouched(update, current, part);
    const value = values.find((each) => each.part === part)?.value ?? KEEP;
    return holds(part, value, now, context) !== true;
  });
}

/** Whether a part is known to be as the item last saw it. */
function isUntouched({ known, context }: Update, current: ShownRecord, part: Part): boolean {
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
