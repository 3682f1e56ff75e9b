import { asUserError, UserError } from '../../util/userError';
import type { PartCodec, RowWrite, WriteContext, WriteValue } from '../model/codec';
import {
  assertNotRounded,
  givenTwice,
  namePart,
  PartLookupError,
  refuse,
  refuseInRow,
} from '../model/errors';
import { inputKey, outputKey, partKey } from '../model/keys';
import { lookUpKey } from '../model/lookup';
import { assertAddressable, writeObstacle, writerOf } from '../model/obstacle';
import type { Part } from '../model/part';
import { ROW_ID_KEY } from './rowRead';
import { givenJson } from '../values/lists';
import { isBlank, isObject } from '../values/shapes';
import { isOmitted, isOmittedRow } from '../values/omitted';

export const ROWS_ACCEPTED = 'a list of rows, e.g. [{"Item": "Bolt", "Quantity": 3}], or JSON text of one';

type CodecOf = (part: Part) => PartCodec;

/** Keys that the nodes themselves add to a row. They name no part, unless a child part has that key. */
const ADDED_KEYS: ReadonlySet<string> = new Set(['partErrors', 'recordId']);

/**
 * Writes rows from a list or JSON text: keys are child names, identifiers or IDs, `id` is the ID of an existing row.
 * Child parts that cannot be written are skipped, so that rows can be written back as they were read. No rows at all
 * (`null`, `[]`) is an empty list. The operation decides what that does to existing rows (`tableRowMode`,
 * `blankKeepsRows`).
 */
export function rowWriter(codecOf: CodecOf): NonNullable<PartCodec['write']> {
  return (value: unknown, table: Part, context: WriteContext): WriteValue => {
    if (context.blankKeepsRows === true && isBlank(value)) return { kind: 'keep' };
    const rows = rowsOf(value, table).flatMap((row, index) => {
      if (context.emptyIsOmitted === true && isOmittedRow(row)) return [];
      try {
        return [writeRow(row, table, context, codecOf)];
      } catch (error) {
        throw refuseInRow(table, index, asUserError(error));
      }
    });
    assertDistinctIds(rows, value, table);
    return { kind: 'rows', rows };
  };
}

function rowsOf(value: unknown, table: Part): readonly unknown[] {
  if (isBlank(value)) return [];
  const rows = typeof value === 'string' ? givenJson(value) : value;
  // A hole in a list is not a row. Array.from turns it into one that is refused; map would keep the hole.
  if (Array.isArray(rows)) return Array.from<unknown>(rows);
  const advice = isObject(rows) ? 'Put a single row in a list, too: [ {...} ].' : undefined;
  throw refuse(table, value, { reason: 'it is not a list of rows', accepts: ROWS_ACCEPTED, advice });
}

function writeRow(row: unknown, table: Part, context: WriteContext, codecOf: CodecOf): RowWrite {
  if (!isObject(row)) throw refuse(table, row, { reason: 'it is not a row', accepts: ROWS_ACCEPTED });
  const values = new Map<Part, WriteValue>();
  const id = rowId(row, table, context.emptyIsOmitted === true);
  for (const key of Object.keys(row)) {
    const given = row[key];
    const omitted = given === undefined || (context.emptyIsOmitted === true && isOmitted(given));
    const child = omitted ? null : childOf(key, row, table, context);
    if (child === null) continue;
    const codec = codecOf(child);
    if (writeObstacle(child, codec) !== null) continue;
    if (values.has(child)) throw givenTwice(child, key);
    assertAddressable(child, table.children, context.keyMode);
    assertNotRowId(child, context);
    values.set(child, writerOf(child, codec)(given, child, context));
  }
  return { ...(id === null ? {} : { id }), values: [...values].map(([part, value]) => ({ part, value })) };
}

/** The child part that a key of a row names; `null` for the row's ID and for keys that the nodes add when reading. */
function childOf(key: string, row: Record<string, unknown>, table: Part, context: WriteContext): Part | null {
  const name = inputKey(key);
  if (key === 'id' || (name === null && Object.hasOwn(row, outputKey(key)))) return null;
  const result = lookUpKey(table.children, name ?? key, context.keyMode);
  if (!(result instanceof PartLookupError)) return result;
  if (result.matches.length === 0 && ADDED_KEYS.has(key)) return null;
  throw result;
}

function rowId(row: Record<string, unknown>, table: Part, emptyIsOmitted: boolean): string | null {
  const id = Object.hasOwn(row, 'id') ? row.id : undefined;
  if (isBlank(id) || (emptyIsOmitted && isOmitted(id))) return null;
  if (typeof id === 'string') return id.trim();
  assertNotRounded(table, id);
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return String(id);
  throw refuse(table, id, {
    reason: 'it is not the id of a row',
    accepts: 'the ID of an existing row, or nothing for a new row',
  });
}

function assertDistinctIds(rows: readonly RowWrite[], value: unknown, table: Part): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      throw refuse(table, value, {
        reason: `it names row ${id} more than once`,
        accepts: 'each existing row once at most',
      });
    }
    seen.add(id);
  }
}

/** @throws UserError for a child part with the key that the service uses for row IDs. */
export function assertNotRowId(part: Part, context: WriteContext): void {
  if (partKey(part, context.keyMode) !== ROW_ID_KEY) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be written: the service takes its key "${ROW_ID_KEY}" for the row's id`,
    "Change the part's name or identifier in the application's settings, or leave the part out.",
  );
}
