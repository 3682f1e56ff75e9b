import type { PollSettings, Warn } from '../poll/context';
import { decodeState, encodeWithin } from '../state/stateCodec';
import type { TriggerState } from '../state/triggerState';
import { counted } from '../../util/counted';

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

/** Other watched parts, or no values any more: what is not known is unknown. */
function adjust(state: TriggerState, { watched }: PollSettings, keepsValues: boolean): void {
  const { records } = state;
  if (watched.join() !== state.watched.join())
    records.rewatch(watched.map((id) => state.watched.indexOf(id)));
  state.watched = watched;
  if (keepsValues || records.values.size === 0) return;
  records.values.clear();
  records.changes++;
}

/** The state as text. @param saved the text that it was read from, if any. */
export async function writeState(
  state: TriggerState,
  saved: string | undefined,
  warn: Warn,
): Promise<string> {
  if (state.records.joinHashes())
    warn(
      'There is no room for a hash of each watched part: from now on, one covers all watched parts of a record',
    );
  const { text, dropped } = await encodeWithin(state, saved);
  if (dropped > 0)
    warn(
      `There is no room for the previous values of ${counted(dropped, 'record')}: changes come without "from"`,
    );
  return text;
}
