import { UserError } from '../../util/userError';
import { describeList } from '../values/describe';
import { namePart } from '../model/errors';
import { findPart } from '../model/lookup';
import type { Part } from '../model/part';

/**
 * The table part that a text names as its ID, name or identifier.
 * @throws UserError for a part of another type; PartLookupError for a text that names no part, or two.
 */
export function findTablePart(parts: readonly Part[], text: string): Part {
  const part = findPart(parts, text);
  if (part.type === 'input_list') return part;
  const tables = parts.filter(({ type }) => type === 'input_list').map(({ name }) => `"${name}"`);
  throw new UserError(
    part.type === 'rel_list'
      ? `Part ${namePart(part)} is a reference list: its rows are records of another application`
      : `Part ${namePart(part)} is not a table part`,
    tables.length === 0
      ? 'The application has no table parts.'
      : `The table parts are: ${describeList(tables)}.`,
  );
}
