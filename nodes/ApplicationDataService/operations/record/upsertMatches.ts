import type { ApplicationSession } from '../../service/application/session';
import { findMatches } from '../../service/read/match';
import { readCurrent } from '../../service/read/current';
import { attempt, settle } from '../../util/concurrently';
import { groupBy } from '../../util/groupBy';
import type { Group } from '../run/types';
import { recordTurn } from '../input/recordTurn';
import type { KeyedRecord, KnownMatch, UpsertWork } from './upsertWork';
import { keyText, type Match } from '../../service/read/keyedRecords';

/** Items with the same key are matched together, no matter how they name the application. */
export function matchKeyOf({ app, context, parts }: UpsertWork): string {
  return JSON.stringify([app.application.id, context.keyMode, parts.map(({ id }) => id)]);
}

/** Finds the records of all items. Repeated keys are looked up only once. */
export async function matchRecords(works: Group<UpsertWork>): Promise<readonly unknown[]> {
  const [{ app, parts, context, options }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([first]) => first.key);
  const found = await findMatches(app, parts, keys, context, options.concurrency);
  for (const sameKey of byKey) {
    const matches = (found.get(keyText(sameKey[0].key)) ?? []).map((match) => shared(app, match));
    const record: KeyedRecord = { matches, planned: false, doubt: null };
    for (const work of sameKey) work.record = record;
  }
  const refusals: unknown[] = [];
  for (const work of works) refusals.push(await refusalOf(work));
  return refusals;
}

/** Why an item cannot be written to the record that it matches; `null` if it can. */
async function refusalOf(work: UpsertWork): Promise<unknown> {
  const { app, context, refusal, record } = work;
  const [match, ...others] = record?.matches ?? [];
  if (refusal === null || match === undefined || others.length > 0) return refusal;
  const current = await settle(async () => await readCurrent(app, match.id, context));
  if ('error' in current) return refusal;
  const stored = { ...context, stored: current.value.record };
  const change = attempt(() => work.changeFor(stored));
  if ('error' in change) return change.error;
  work.change = change.value;
  return null;
}

/** What a run knows of the records that it has matched, by ID. */
const matched = new WeakMap<ApplicationSession, Map<string, KnownMatch>>();

/** Two keys may match the same record, also by different parts. Then they share what is known of it. */
function shared(app: ApplicationSession, { id, revision }: Match): KnownMatch {
  const known = matched.get(app) ?? new Map<string, KnownMatch>();
  const match = known.get(id) ?? { id, revision };
  matched.set(app, known.set(id, match));
  return match;
}

/** Items of one record are processed in turn, even if it is not created yet: then they share its key. */
export function turnOf({ app, parts, key, record }: UpsertWork): string {
  const [match, ...others] = record?.matches ?? [];
  if (match !== undefined && others.length === 0) return recordTurn(app, match.id);
  return JSON.stringify([app.application.id, parts.map(({ id }) => id), key]);
}
