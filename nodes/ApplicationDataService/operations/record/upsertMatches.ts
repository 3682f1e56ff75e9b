import { CALLS_AT_ONCE, type ApplicationSession } from '../../service/application/session';
import { findMatches } from '../../service/read/match';
import { settle } from '../../util/concurrently';
import { groupBy } from '../../util/groupBy';
import type { Group } from '../run/types';
import { assertChoicesOffered } from '../input/offeredChoices';
import { recordTurn } from '../input/recordTurn';
import type { KeyedRecord, KnownMatch, UpsertWork } from './upsertWork';
import { keyText, type Match } from '../../service/read/keyedRecords';

/** Items with the same key are matched together, no matter how they name the application. */
export function matchKeyOf({ app, context, parts }: UpsertWork): string {
  return JSON.stringify([app.application.id, context.keyMode, parts.map(({ id }) => id)]);
}

/** Finds the records of all items. Repeated keys are looked up only once. */
export async function matchRecords(works: Group<UpsertWork>): Promise<readonly unknown[]> {
  const [{ app, parts, context }] = works;
  const byKey = groupBy(works, ({ key }) => keyText(key));
  const keys = byKey.map(([first]) => first.key);
  const found = await findMatches(app, parts, keys, context, CALLS_AT_ONCE);
  for (const sameKey of byKey) {
    const matches = (found.get(keyText(sameKey[0].key)) ?? []).map((match) => shared(app, match));
    const record: KeyedRecord = { matches, planned: false, doubt: null };
    for (const work of sameKey) work.record = record;
  }
  const refusals: unknown[] = [];
  for (const work of works) {
    const checked = await settle(async () => await assertWritable(work));
    refusals.push('error' in checked ? checked.error : null);
  }
  return refusals;
}

/** @throws UserError for a choice that is neither offered nor held by the record that the item matches. */
async function assertWritable({ app, context, change, record }: UpsertWork): Promise<void> {
  const [match, ...others] = record?.matches ?? [];
  // Several matches are refused for another reason.
  if (others.length === 0) await assertChoicesOffered(app, match?.id ?? null, change.values, context);
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
