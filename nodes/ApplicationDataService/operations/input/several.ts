import { emptyParameter } from '../../common/errors';
import { locatedIds } from '../../common/properties';
import { isOmitted, jsonList, splitText } from '../../parts/values/given';
import { isObject, ownValue, readText } from '../../parts/values/shapes';
import { UserError } from '../../util/userError';
import { assertExact, type Item } from '../run/item';

/** Parameters that mean all of them where they are empty: an expression that returns nothing is refused then. */
const MEANS_ALL: Readonly<Record<string, string>> = {
  rowId: 'row ID',
  attachmentIds: 'list of attachment IDs',
};

/**
 * The texts in a parameter that takes several (separated text, an array, or JSON text of one), without duplicates.
 * @param textOf reads one of them; empty for none. By default they are IDs.
 * @throws UserError for a number that JavaScript has rounded, and what `textOf` throws.
 */
export function readSeveral(item: Item, name: string, textOf: (each: unknown) => string = idOf): string[] {
  const value = locatedIds(item.value(name, ''));
  if (item.run.byAgent && isOmitted(value)) return [];
  const given = typeof value === 'string' ? (jsonList(value) ?? value) : value;
  const several: readonly unknown[] = Array.isArray(given) ? given : [given];
  several.forEach(assertExact);
  const texts = [...new Set(several.flatMap((each) => splitText(textOf(each), /[,\t\r\n]+/)))];
  const label = ownValue(MEANS_ALL, name);
  // A typed text may be empty.
  if (label !== undefined && texts.length === 0 && typeof given !== 'string')
    throw emptyParameter(`The ${label}`);
  return texts;
}

/** @throws UserError for an object without an ID: passed over, it would mean fewer of them, or all. */
function idOf(given: unknown): string {
  const id = isObject(given) ? given.id : given;
  assertExact(id);
  const text = readText(id);
  if (text !== '' || typeof given !== 'object' || given === null) return text;
  throw new UserError(
    'One of the IDs is an object without an ID',
    'Use IDs, or records, rows or files as they were read, each with its "id".',
  );
}

/** @throws UserError if the item names no record, or several. */
export function readRecordId(item: Item): string {
  return onlyOne('record', readRecordIds(item));
}

/** Empty if the item names no row. @throws UserError if it names several. */
export function readRowId(item: Item): string {
  return onlyOne('row', readSeveral(item, 'rowId'));
}

function onlyOne(what: 'record' | 'row', [id = '', ...others]: readonly string[]): string {
  if (others.length === 0) return id;
  throw new UserError(
    `The item names ${others.length + 1} ${what}s, and this operation takes one`,
    `Pass one ${what} ID per item, for example with a Split Out node before this one.`,
  );
}

/** @throws UserError if the item names no record. */
export function readRecordIds(item: Item): string[] {
  const ids = readSeveral(item, 'recordId', (given) => {
    if (!isObject(given) || !Object.hasOwn(given, 'recordId')) return idOf(given);
    // The "id" of what was read of a row or a file is not the record's.
    throw new UserError(
      'One of the record IDs is a row or a file of a record',
      'Enter the ID of the record, e.g. {{ $json.recordId }}.',
    );
  });
  if (ids.length === 0) throw emptyParameter('The record ID');
  item.recordIds = ids;
  return ids;
}
