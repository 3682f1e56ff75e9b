import { describeList } from '../../parts/values/describe';
import type { PollSettings, PollTools } from '../poll/context';
import type { Watch } from '../source/watch';
import { decodeState, type TriggerState } from '../state/stateCodec';

/**
 * The saved state, as it fits what is watched now; `null` if it is about something else: then records are learned
 * again, with a warning.
 */
export async function fittingState<T>(
  saved: unknown,
  { settings, source, warn }: PollTools<T>,
): Promise<TriggerState | null> {
  const state = await decodeState(saved);
  if (state?.fingerprint === settings.fingerprint && !tellsMore(state, settings, source.watch)) {
    const { watched, keepsValues } = source.watch;
    state.records.rewatch(watched.map(({ id }) => id));
    if (!keepsValues) state.records.keepValues(0);
    return state;
  }
  const reason =
    state === null
      ? 'The memory of the trigger cannot be read or has another version'
      : 'The settings of what to watch have changed';
  warn(
    `${reason}: the trigger learns the records again, and changes since the last poll are not reported${untold(state)}`,
  );
  return null;
}

/** Whether what was not told when the state was written is told now: all of it would come at once. */
function tellsMore(
  { events: before, records }: TriggerState,
  { events }: PollSettings,
  watch: Watch,
): boolean {
  if (records.watched.length > 0 && watch.watched.length === 0) return true;
  if (before === undefined) return false;
  const isAdded = [...events].some((event) => !before.includes(event));
  return isAdded || (before.includes('created') && !events.has('created'));
}

/** What a state that is given up had still to tell, as the rest of a sentence. */
function untold(state: TriggerState | null): string {
  const waiting = [...(state?.waiting.keys() ?? [])];
  const missing = state?.records.missing() ?? [];
  const left = [
    ...(waiting.length > 0 ? [`records ${describeList(waiting)} (not readable so far)`] : []),
    ...(missing.length > 0 ? [`records ${describeList(missing)} (missing, perhaps deleted)`] : []),
    ...(state?.scan ? [`what its scan had not reached, after record ${Math.max(0, state.scan.after)}`] : []),
  ];
  return left.length > 0 ? `. It had still to tell of ${left.join('; ')}` : '';
}
