import { compareIds } from '../state/idOrder';
import type { ReadContext } from './context';

/** How often some of the records that left the filter are checked: each costs a request. */
const EVERY_MS = 3_600_000;
const FEW = 20;
/** If some were gone, the next scan checks more of them, because records are often deleted in groups. */
const MOST = 256;

/**
 * Marks some of the records that left the filter as missing, in turn. Their deletion is not reported, but deleted records need
 * not be remembered forever.
 */
export function doubtAway({ state, memory, settings, now }: ReadContext): void {
  if (!settings.narrowed || state.baseline !== null) return;
  const { away } = memory;
  const { records } = state;
  const wereGone = away.ids.some((id) => records.get(id) === undefined);
  // A clock that was set back must not postpone it.
  if (!wereGone && now >= away.at && now - away.at < EVERY_MS) return;
  const ids = records.away();
  const last = away.ids.at(-1);
  const next = last === undefined ? 0 : ids.findIndex((id) => compareIds(id, last) > 0);
  const inTurn = next <= 0 ? ids : [...ids.slice(next), ...ids.slice(0, next)];
  away.at = now;
  away.ids = inTurn.slice(0, wereGone ? Math.min(MOST, away.ids.length * 2) : FEW);
  for (const id of away.ids) records.markMissing(id);
}
