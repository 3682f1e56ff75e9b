import { UserError } from '../../util/userError';
import type { WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/encode';
import type { Item } from '../run/item';

/**
 * The values of a record or row that is yet to be made. Its rows are all new: where an item carries row ids, they
 * belong to the record it was read from. A hint counts the items with files of that record.
 * @throws UserError if nothing is left to write, or attachments are to be removed.
 */
export function asNew(
  item: Item,
  values: readonly EncodedPart[],
  what: 'record' | 'row',
): readonly EncodedPart[] {
  const fresh = values.flatMap(({ part, value }) =>
    value.kind === 'keep' ? [] : [{ part, value: newValue(part, value, what) }],
  );
  if (fresh.length === 0) {
    throw new UserError(
      'There is no value to write',
      `Map at least one part: attachments as Get returns them add no files to a new ${what}.`,
    );
  }
  if (holdsReadFiles(values)) {
    item.run.hints.add(
      `Attachments as Get returns them were left out of a new ${what}: to add them, download them and map their binary fields`,
    );
  }
  return fresh;
}

function newValue(part: Part, value: WriteValue, what: 'record' | 'row'): WriteValue {
  if (value.kind === 'files' && value.remove.length > 0) {
    throw new UserError(
      `Part ${namePart(part)}: a new ${what} has no attachments to remove`,
      'Enter only the binary fields to add.',
    );
  }
  if (value.kind !== 'rows') return value;
  return {
    kind: 'rows',
    rows: value.rows.map((row) => ({
      values: row.values.map((child) => ({
        part: child.part,
        value: newValue(child.part, child.value, what),
      })),
    })),
  };
}

function holdsReadFiles(values: readonly EncodedPart[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => holdsReadFiles(row.values))
      : value.kind === 'keep' && value.files !== undefined,
  );
}
