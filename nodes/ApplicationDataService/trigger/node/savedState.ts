import type { PollSettings, Warn } from '../poll/contract';
import { decodeState, encodeHeader, encodeWithin } from '../state/stateCodec';
import type { Columns, TriggerState } from '../state/triggerState';
import { counted } from '../../util/counted';

/** Hashes that were made of so many sets of columns are understood. */
const MOST_COLUMNS = 3;

/**
 * The saved state, as it fits what is watched now; `null` if there is none, or if it is about something else: then
 * records are learned again, with a warning.
 * @param keepsValues whether values of the watched parts are kept.
 */
export async function readState(
  saved: unknown,
  settings: PollSettings,
  keepsValues: boolean,
  warn: Warn,
): Promise<TriggerState | null> {
  if (saved === undefined) return null;
  const state = typeof saved === 'string' ? await decodeState(saved) : null;
  if (state?.fingerprint === settings.fingerprint) {
    adjust(state, settings, keepsValues);
    return state;
  }
  const reason =
    state === null
      ? 'The memory of the trigger cannot be read or has another version.'
      : 'The settings of what to watch have changed.';
  warn(`${reason} The trigger learns the records again; changes since the last poll are not reported`);
  return null;
}

/** Other watched parts, other columns of a table part, or no values any more: what is not known is unknown. */
function adjust(state: TriggerState, { watched, columns }: PollSettings, keepsValues: boolean): void {
  const { records } = state;
  const before = state.watched;
  const last = state.columns.at(-1);
  // A hash over a column that is gone can be compared with nothing.
  const lost = watched.filter((id) => last?.[id]?.some((child) => !columns[id]?.includes(child)));
  const isSame =
    lost.length === 0 && before.length === watched.length && watched.every((id) => before.includes(id));
  records.rewatch(
    watched.map((id) => (lost.includes(id) ? -1 : before.indexOf(id))),
    isSame,
  );
  state.watched = watched;
  if (last === undefined || JSON.stringify(last) !== JSON.stringify(columns))
    state.columns = [...state.columns, columns].slice(-MOST_COLUMNS);
  if (keepsValues || records.values.size === 0) return;
  records.values.clear();
  records.dirty = true;
}

/** The columns that hashes of the state may have been made of, besides those of now. */
export function earlierColumns(state: TriggerState | null): readonly Columns[] {
  return state?.columns.slice(0, -1) ?? [];
}

/**
 * The state as text.
 * @param saved the text that the state was read from, if any. Its records are not encoded again if none of them
 * changed.
 */
export async function writeState(
  state: TriggerState,
  saved: string | undefined,
  warn: Warn,
): Promise<string> {
  if (state.records.joinHashes())
    warn(
      'There is no room for a hash of each watched part: from now on, one covers all watched parts of a record',
    );
  if (saved !== undefined && !state.records.dirty) return encodeHeader(state, saved);
  const { text, dropped } = await encodeWithin(state);
  if (dropped > 0)
    warn(
      `There is no room for the previous values of ${counted(dropped, 'record')}: changes come without "from"`,
    );
  return text;
}
