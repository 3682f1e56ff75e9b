import { attempt } from '../util/concurrently';
import { asUserError } from '../util/userError';
import { isSeveral, type Part, type RowWrite, type WriteContext, type WriteValue } from './model/part';
import { isObject, readText, type SimplifiedValue } from './values/shapes';
import { canonicalDecimal } from './values/decimal';
import { valueOf } from './types/entries';

/** Whether a part has what would be sent; `null` if that is unknown: files, and what may not be read. */
export function holds(
  part: Part,
  sent: WriteValue,
  current: SimplifiedValue | undefined,
  context: WriteContext,
): boolean | null {
  if (sent.kind === 'keep') return true;
  if (sent.kind === 'empty') return Array.isArray(current) ? current.length === 0 : null;
  if (sent.kind === 'files') return sent.add.length + sent.remove.length === 0 ? true : null;
  if (sent.kind === 'rows') return Array.isArray(current) ? holdsRows(sent.rows, current, context) : null;
  if (current === undefined) return null;
  // What would be sent for it does not depend on how the service writes values.
  const stored = storedText(part, current, context);
  return sent.text === stored || canonicalText(part, sent.text) === canonicalText(part, stored);
}

/** The same text for all texts that mean the same value: a form with files turns line breaks into CR LF, for one. */
export function canonicalText(part: Part, text: string): string {
  if (isSeveral(part)) return text.split('\t').sort().join('\t');
  return part.codec.compares === 'number' ? canonicalDecimal(text) : text.replaceAll('\r\n', '\n');
}

/** The texts of a record's parts by which records are distinguished; one that the record does not show is empty. */
export function storedKey(
  parts: readonly Part[],
  record: Readonly<Record<string, unknown>>,
  context: WriteContext,
): string[] {
  return parts.map((part) => canonicalText(part, storedText(part, valueOf(record, part, context), context)));
}

/** The text that would write back a value that was read, even if the part no longer accepts it; else one to compare. */
export function storedText(part: Part, current: SimplifiedValue, context: WriteContext): string {
  const written = attempt(() => part.codec.write?.(current, part, context));
  // A refusal is expected here: the stored value is older than the part's settings.
  if ('error' in written) asUserError(written.error);
  else if (written.value?.kind === 'text') return written.value.text;
  const plain = (item: unknown): string => (isObject(item) ? JSON.stringify(item) : readText(item));
  return Array.isArray(current) ? current.map(plain).join('\t') : plain(current);
}

/** What keeps a stored value that must be sent again. @throws UserError for people and groups without an ID */
export function writeBack(part: Part, current: SimplifiedValue, context: WriteContext): WriteValue {
  const written = part.codec.members && part.codec.write?.(current, part, context);
  return written ?? { kind: 'text', text: storedText(part, current, context) };
}

function holdsRows(
  rows: readonly RowWrite[],
  current: readonly unknown[],
  context: WriteContext,
): boolean | null {
  if (rows.length !== current.length) return false;
  const byId = new Map(current.filter(isObject).map((row) => [row.id, row]));
  const held = rows.flatMap(({ id, values }, index) => {
    const stored = id === undefined ? current[index] : byId.get(id);
    if (!isObject(stored)) return [false];
    return values.map(({ part, value }) => holds(part, value, valueOf(stored, part, context), context));
  });
  return holdsAll(held);
}

/** Whether all of several are held: `false` if one is not, else `null` if one is not known. */
export function holdsAll(held: readonly (boolean | null)[]): boolean | null {
  if (held.includes(false)) return false;
  return held.includes(null) ? null : true;
}
