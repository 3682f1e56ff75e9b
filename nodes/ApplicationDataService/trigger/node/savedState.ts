import type { PollSettings, Warn } from '../poll/settings';
import { decodeState, encodeHeader, encodeWithin } from '../state/stateCodec';
import type { TriggerState } from '../state/triggerState';
import { counted } from '../../util/counted';

/**
 * The saved state; `null` if there is none, or if it is about something other than what is watched now: then records
 * are learned again, with a warning.
 */
export async function readState(
  saved: unknown,
  { fingerprint }: PollSettings,
  warn: Warn,
): Promise<TriggerState | null> {
  if (saved === undefined) return null;
  const state = typeof saved === 'string' ? await decodeState(saved) : null;
  if (state?.fingerprint === fingerprint) return state;
  const reason =
    state === null
      ? 'The memory of the trigger cannot be read or has another version.'
      : 'The settings of what to watch have changed.';
  warn(`${reason} The trigger learns the records again; changes since the last poll are not reported`);
  return null;
}

/**
 * The state as text.
 * @param saved the text that the state was read from, if any. Its records are not encoded again if none of them changed.
 */
export async function writeState(
  state: TriggerState,
  saved: string | undefined,
  warn: Warn,
): Promise<string> {
  if (saved !== undefined && !state.records.dirty) return encodeHeader(state, saved);
  const { text, dropped } = await encodeWithin(state);
  if (dropped > 0)
    warn(
      `There is no room for the previous values of ${counted(dropped, 'record')}: changes come without "from"`,
    );
  return text;
}
