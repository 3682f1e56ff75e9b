import type { IDataObject } from 'n8n-workflow';

import { holds, holdsAll } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import type { Part } from '../../parts/model/part';
import { isObject, readText } from '../../parts/values/shapes';
import { attempt } from '../../util/concurrently';
import { asUserError } from '../../util/userError';
import { type CurrentRecord, valueOf } from '../read/records';
import { type Contents, fileChanges } from './files';
import { countEqualRows, rowsToSend } from './rows';

/**
 * Whose revision a write is sent under: that of the item (`user`: Fail, Skip, Merge), one that the node read itself
 * (`node`: rows, files, Sync), or none (plain values that overwrite, revision 0).
 */
export type Guard = 'none' | 'user' | 'node';

/** What one attempt is to send. */
export interface WritePlan {
  readonly outcome: 'updated' | 'unchanged' | 'conflict';
  readonly guard: Guard;
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  /** What the plan found out besides, to be remembered with the write. */
  readonly found?: IDataObject;
}

/** What became of a write. */
export type Verdict = 'done' | 'notDone' | 'unknown';

/** What a record shows of a write. */
export interface Trace {
  /**
   * Whether it holds all plain values, changed rows and removals; `null` if it does not show one, and contradicts none.
   */
  readonly held: boolean | null;
  /** It holds some of what was not there before. */
  readonly someHeld: boolean;
  /** Rows and files that the write adds. */
  readonly added: number;
  /** Rows and files that have come since, and how many of them equal what was added. */
  readonly fresh: number;
  readonly equal: number;
  /** By how much the revision moved. */
  readonly moved: number;
}

/**
 * What became of a write that was not answered with `ok`, told by the record as it was before and is now.
 *
 * | Answer  | Guard | The record now                                        | Verdict |
 * |---------|-------|-------------------------------------------------------|---|
 * | refused | none  | any                                                   | notDone |
 * | refused | any   | not moved                                             | notDone |
 * | refused | user  | moved                                                 | notDone; unknown (1) |
 * | refused | node  | moved, all held, nothing was to be added              | done |
 * | refused | node  | moved, not held                                       | notDone |
 * | refused | node  | moved, with additions                                 | notDone; unknown (1) |
 * | lost    | none  | held / not held                                       | done / notDone |
 * | lost    | any   | not moved                                             | notDone; unknown (2) |
 * | lost    | node  | moved, held, nothing was to be added                  | done |
 * | lost    | user  | the same, moved by one                                | done |
 * | lost    | any   | moved by one, held, what is new equals what was added | done |
 * | lost    | node  | moved, and not held or nothing was added              | notDone |
 * | lost    | user  | moved by one, nothing of it is there                  | notDone |
 * | lost    | any   | anything else                                         | unknown |
 *
 * (1) where a new row or file equals an added one; (2) if it was then refused.
 *
 * `notDone` under a revision that has moved means that it is to be planned again: with the user's guard that is a
 * conflict.
 * @param answer `lost`: no answer, a 5xx, or a redirect; `lostThenRefused` if a later attempt under the same revision
 * was refused.
 */
export function verdict(guard: Guard, answer: 'refused' | 'lost' | 'lostThenRefused', trace: Trace): Verdict {
  const { held, added, equal, moved } = trace;
  if (answer === 'refused') {
    if (guard === 'none' || moved === 0) return 'notDone';
    if (equal > 0) return 'unknown';
    return guard === 'node' && added === 0 && held === true ? 'done' : 'notDone';
  }
  if (guard === 'none') return held === null ? 'unknown' : held ? 'done' : 'notDone';
  if (moved === 0) return answer === 'lost' ? 'notDone' : 'unknown';
  return ofLost(guard, trace);
}

/** Of a write under a revision that has moved since. */
function ofLost(guard: 'user' | 'node', { held, someHeld, added, fresh, equal, moved }: Trace): Verdict {
  const isSingle = moved === 1;
  const isExact = added === 0 ? guard === 'node' || isSingle : isSingle && fresh === added && equal === added;
  if (held === true && isExact) return 'done';
  // A single write that left other values was not this one, whatever it added.
  const isOther = held === false && isSingle;
  if (guard === 'user') return isOther && !someHeld && fresh === 0 ? 'notDone' : 'unknown';
  const isMissing = added === 0 ? held !== true : fresh === 0;
  return isOther || isMissing ? 'notDone' : 'unknown';
}

const NOTHING = { record: { id: null, revision: null } };

/**
 * What a record shows of a write.
 * @param before the record as the write was planned on; `null` if it was not read, as only plain values are sent then.
 */
export function traceOf(
  { values, revision }: Pick<WritePlan, 'values' | 'revision'>,
  before: CurrentRecord | null,
  after: CurrentRecord,
  context: WriteContext,
  contents: Contents,
): Trace {
  const was = before ?? NOTHING;
  const shown: (boolean | null)[] = [];
  let [someHeld, added, fresh, equal] = [false, 0, 0, 0];
  const take = (isHeld: boolean | null, isNew: boolean): void => {
    shown.push(isHeld);
    someHeld ||= isHeld === true && isNew;
  };
  for (const { part, value } of values) {
    const now = valueOf(after.record, part, context);
    const then = valueOf(was.record, part, context);
    if (value.kind === 'text') {
      take(holds(part, value, now, context), holds(part, value, then, context) !== true);
    } else if (value.kind === 'rows') {
      const rows = rowTrace(part, value.rows, then, now, context);
      take(rows.held, rows.isChange);
      [added, fresh, equal] = [added + rows.added, fresh + rows.fresh, equal + rows.equal];
    }
  }
  for (const change of fileChanges(values.map(ofExistingRows), was, after, context, contents, false)) {
    const { add, remove } = change.value;
    if (change.fresh === undefined) take(null, false);
    // The request removes the first one only.
    if (remove.length > 0) take(!change.left.includes(remove[0]!), true);
    added += add.length;
    fresh += change.fresh?.length ?? 0;
    equal += change.kept.length;
  }
  someHeld ||= equal > 0;
  return {
    held: holdsAll(shown),
    someHeld,
    added,
    fresh,
    equal,
    moved: revision === 0 ? 0 : after.revision - revision,
  };
}

/** The same without new rows, which count as additions themselves. */
function ofExistingRows({ part, value }: EncodedPart): EncodedPart {
  if (value.kind !== 'rows') return { part, value };
  return { part, value: { kind: 'rows', rows: value.rows.filter(({ id }) => id !== undefined) } };
}

/** The same of the rows of a table part; `isChange` if some that were there before are changed or removed. */
function rowTrace(
  table: Part,
  sent: readonly RowWrite[],
  before: unknown,
  now: unknown,
  context: WriteContext,
): Pick<Trace, 'held' | 'added' | 'fresh' | 'equal'> & { readonly isChange: boolean } {
  const nothing = { added: 0, fresh: 0, equal: 0 };
  if (!Array.isArray(now)) return { ...nothing, held: null, isChange: true };
  const was = byId(before);
  const is = byId(now);
  if (was === null || is === null) {
    // Rows without IDs are told by all of them together.
    const compared = attempt(() => rowsToSend(table, sent, now, { context, rowMode: 'replace' }));
    if ('error' in compared) asUserError(compared.error);
    return { ...nothing, held: 'value' in compared ? !compared.value.differ : null, isChange: true };
  }
  const kept = sent.filter(({ id }) => id !== undefined);
  const keptIds = new Set(kept.map(({ id }) => id));
  const gone = [...was.keys()].filter((id) => !keptIds.has(id));
  const changes = kept.flatMap(({ id = '', values }) => {
    const isIn = (rows: typeof is, { part, value }: EncodedPart): boolean =>
      holds(part, value, valueOf(rows.get(id) ?? {}, part, context), context) === true;
    return values
      .filter((each) => each.value.kind === 'text' && !isIn(was, each))
      .map((each) => isIn(is, each));
  });
  const added = sent.filter(({ id }) => id === undefined);
  const fresh = [...is].filter(([id]) => !was.has(id)).map(([, row]) => row);
  return {
    held: changes.every((isHeld) => isHeld) && gone.every((id) => !is.has(id)),
    isChange: changes.length + gone.length > 0,
    added: added.length,
    fresh: fresh.length,
    equal: added.length === 0 ? 0 : countEqualRows(table, added, fresh, context),
  };
}

/** Rows by their IDs; `null` if they have none. */
function byId(value: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> | null {
  const rows = Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
  const map = new Map(rows.map((row) => [readText(row.id), row]));
  return map.has('') || map.size < rows.length ? null : map;
}
