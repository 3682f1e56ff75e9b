import { UserError } from '../../util/userError';
import type { WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/encode';

/**
 * The values of a record that is yet to be made. Its rows are all new: where an item carries row ids, they belong to the
 * record it was read from.
 * @throws UserError if nothing is left to write, or attachments are to be removed.
 */
export function asNewRecord(values: readonly EncodedPart[]): readonly EncodedPart[] {
  const fresh = values.flatMap(({ part, value }) =>
    value.kind === 'keep' ? [] : [{ part, value: newValue(part, value) }],
  );
  if (fresh.length > 0) return fresh;
  throw new UserError(
    'There is no value to write',
    'Map at least one part: attachments as Get returns them add no files to a new record.',
  );
}

function newValue(part: Part, value: WriteValue): WriteValue {
  if (value.kind === 'files' && value.remove.length > 0) {
    throw new UserError(
      `Part ${namePart(part)}: a new record has no attachments to remove`,
      'Enter only the binary fields to add.',
    );
  }
  if (value.kind !== 'rows') return value;
  return {
    kind: 'rows',
    rows: value.rows.map((row) => ({
      values: row.values.map((child) => ({ part: child.part, value: newValue(child.part, child.value) })),
    })),
  };
}
