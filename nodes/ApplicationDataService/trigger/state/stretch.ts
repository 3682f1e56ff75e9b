import { compareIds, idNumber } from './idOrder';
import type { Slots } from './slots';

/** A stretch of ids: after `from`, up to `to` and with it; `null` for the beginning and the end. */
export interface Stretch {
  readonly from: string | null;
  readonly to: string | null;
}

/** Whether slots are within a stretch; by numbers where these tell, which is fast. */
export function within({ from, to }: Stretch): (slots: Slots, slot: number) => boolean {
  const low = from === null ? -1 : idNumber(from);
  const high = to === null ? Infinity : idNumber(to);
  const tells = (from === null || low >= 0) && high >= 0;
  return (slots, slot) => {
    const number = slots.numberAt(slot);
    if (number >= 0 && tells) return number > low && number <= high;
    const id = slots.idAt(slot);
    return (from === null || compareIds(id, from) > 0) && (to === null || compareIds(id, to) <= 0);
  };
}
