import type { Version } from '../source/version';
import { idNumber } from '../../util/ids';
import type { Remembered } from '../state/recordTable';
import type { TriggerState } from '../state/stateCodec';
import type { PollContext, PollSettings } from './context';

/** Whether a record that a list shows is to be output; remembers one that is not. @param isOld see {@link decide} */
export function isNews<T>(
  version: Version,
  isOld: boolean,
  { state, settings, tried }: PollContext<T>,
): boolean {
  const { id } = version;
  const { records } = state;
  if (id === '') return false;
  if (version.meets !== 'yes') {
    records.markOutside(id);
    return false;
  }
  records.meet(id);
  if (tried.has(id)) return false;
  const known = records.get(id);
  const verdict = decide(version, known, isOld, settings, records.isFull);
  if (verdict === 'remember') records.set(id, remembered(version, known));
  return verdict === 'emit';
}

/** Where no parts are watched, each new revision is a change. */
const ANY_CHANGE: readonly (boolean | null)[] = [true];

/**
 * What to do with a record that is shown: `emit` it, only `remember` it, or nothing.
 * @param isOld whether it counts as known although it is not.
 */
export function decide(
  version: Version,
  known: Remembered | undefined,
  isOld: boolean,
  { events, watched }: Pick<PollSettings, 'events' | 'watched'>,
  isFull: boolean,
): 'emit' | 'remember' | 'nothing' {
  // It has to be read to be compared.
  if (version.revision === null) return 'emit';
  if (known === undefined) return isOld || !events.has('created') ? 'remember' : 'emit';
  const changed = watched.length === 0 ? ANY_CHANGE : changedParts(known, version);
  const isChanged = changed.includes(true);
  // A change without a new revision is reported with the next one.
  if (known.revision === version.revision)
    return !isChanged && lacksSomething(known, version, isFull) ? 'remember' : 'nothing';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  if (isChanged) return events.has('updated') ? 'emit' : 'remember';
  // A part that cannot be read now may have changed: the record stays as it is until it can be compared.
  return changed.includes(null) ? 'nothing' : 'remember';
}

/** Which watched parts changed: not one that was unknown; `null` for one that is in error now. */
export function changedParts({ hashes }: Remembered, version: Version): (boolean | null)[] {
  return hashes.map((hash, index) => {
    const now = version.hashes[index];
    if (hash === 0) return false;
    return now === 0 ? null : now !== hash;
  });
}

/** Whether an unchanged record shows what was not known of it: hashes or values. */
function lacksSomething(known: Remembered, { hashes, values }: Version, isFull: boolean): boolean {
  if (known.hashes.some((hash, index) => hash === 0 && hashes[index] !== 0)) return true;
  if (values === undefined) return known.values !== undefined;
  if (known.values === undefined) return !isFull && values.some((value) => value !== '');
  return known.values.some((value, part) => (value === '') !== (values[part] === ''));
}

/** What to remember of a record that is shown. The hash of a part in error stays what it was. */
export function remembered({ revision, hashes, values }: Version, known: Remembered | undefined): Remembered {
  return {
    revision: revision ?? known?.revision ?? 0,
    hashes: hashes.map((hash, index) => hash || (known?.hashes[index] ?? 0)),
    values,
  };
}

/**
 * Whether a record that the state does not know is learned without a word. One among those that were known before shows
 * that another key sees more: then those above are learned, too.
 */
export function isLearned(id: string, state: TriggerState): boolean {
  const { learnsUpTo, knownUpTo, waiting, records } = state;
  if (learnsUpTo === null || id === '' || waiting.has(id) || records.get(id) !== undefined) return false;
  state.seesMore ||= idNumber(id) <= knownUpTo;
  return state.seesMore || idNumber(id) <= learnsUpTo;
}
