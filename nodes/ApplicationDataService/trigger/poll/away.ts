import { compareIds } from '../state/idOrder';
import type { ReadContext } from './context';

/** So often some of the records that left the filter are looked at: each costs a request. */
const EVERY_MS = 3_600_000;
const FEW = 20;
/** Where some were gone, more of them are looked at with the next scan: records are deleted many at once. */
const MOST = 256;

/**
 * Takes some of the records that left the filter for missing, in turn. Nobody hears of their deletion, but what is gone need
 * not be remembered for ever.
 */
export function doubtAway({ state, memory, settings, now }: ReadContext): void {
  if (!settings.narrowed || state.baseline !== null) return;
  const { away } = memory;
  const { records } = state;
  const wereGone = away.ids.some((id) => records.get(id) === undefined);
  // A clock that was set back must not put it off.
  if (!wereGone && now >= away.at && now - away.at < EVERY_MS) return;
  const ids = records.away();
  const last = away.ids.at(-1);
  const next = last === undefined ? 0 : ids.findIndex((id) => compareIds(id, last) > 0);
  const inTurn = next <= 0 ? ids : [...ids.slice(next), ...ids.slice(0, next)];
  away.at = now;
  away.ids = inTurn.slice(0, wereGone ? Math.min(MOST, away.ids.length * 2) : FEW);
  for (const id of away.ids) records.markMissing(id);
}
