import { AWAY, GONE, MISSING } from './marks';
import type { RecordTable } from './recordTable';

/**
 * The id of the record that stands so many places after another one in a list, as far as the table knows; `null` if there
 * are not so many, or the table does not hold them in order.
 */
export function idAfter({ slots, marks }: RecordTable, id: string, places: number): string | null {
  let slot = slots.find(id);
  if (slot < 0) return null;
  for (let left = places; left > 0;) {
    slot += 1;
    if (slot >= slots.length || slots.numberAt(slot) <= slots.numberAt(slot - 1)) return null;
    if (!marks.has(slot, GONE | AWAY | MISSING)) left -= 1;
  }
  return slots.idAt(slot);
}
