import type { Version } from '../source/watch';
import type { Remembered } from '../state/recordTable';
import type { TriggerState } from '../state/stateCodec';
import type { PollContext } from './context';

type Comparing = Pick<PollContext<unknown>, 'state' | 'settings'>;

/** Remembers a record that a list shows, unless it is to be output. @returns whether it is. */
export function learnListed(
  version: Version,
  context: Comparing & Pick<PollContext<unknown>, 'tried'>,
): boolean {
  const { state, tried } = context;
  const { id, number, meets, revision } = version;
  if (id === '' || (meets === 'yes' && state.records.meetsUnchanged(number, revision))) return false;
  if (meets !== 'yes') {
    // What cannot be judged now is known, and told when it meets the conditions after a change.
    if (meets === 'unsure' && isLearned(version, state)) remember(version, state);
    state.records.markOutside(id);
    return false;
  }
  state.records.meet(id);
  const verdict = tried.has(id) ? 'nothing' : decide(version, context);
  if (verdict === 'remember') remember(version, state);
  return verdict === 'emit';
}

/** What to do with a record that is shown: `emit` it, only `remember` it, or nothing. */
export function decide(version: Version, { state, settings }: Comparing): 'emit' | 'remember' | 'nothing' {
  const { events } = settings;
  const { records } = state;
  // It has to be read to be compared.
  if (version.revision === null) return 'emit';
  const remembered = records.get(version.id);
  if (remembered === undefined) {
    // Where creations are not told, one that was changed before is an update: it came to meet the filter.
    const isTold = events.has('created') || (events.has('updated') && version.revision > 1);
    return isTold && !isLearned(version, state) ? 'emit' : 'remember';
  }
  const changed = partChanges(remembered, version);
  const isChanged = changed.includes(true);
  // A change without a new revision is reported with the next one.
  if (remembered.revision === version.revision)
    return !isChanged && lacksSomething(remembered, version, records.isFull) ? 'remember' : 'nothing';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  if (isChanged) return events.has('updated') ? 'emit' : 'remember';
  // A part that cannot be read now may have changed: the record stays as it is until it can be compared.
  return changed.includes(null) ? 'nothing' : 'remember';
}

/** Which watched parts changed: not one that was unknown; `null` for one that is in error now. */
export function partChanges({ hashes }: Remembered, version: Version): readonly (boolean | null)[] {
  // Where no parts are watched, each new revision is a change.
  if (hashes.length === 0) return [true];
  const { hashes: now } = version;
  return hashes.map((hash, index) => hash !== 0 && (now[index] === 0 ? null : now[index] !== hash));
}

/** Whether an unchanged record shows what was not known of it: hashes or values. */
function lacksSomething(remembered: Remembered, { hashes, values }: Version, isFull: boolean): boolean {
  if (remembered.hashes.some((hash, index) => hash === 0 && hashes[index] !== 0)) return true;
  if (values === undefined) return remembered.values !== undefined;
  if (remembered.values === undefined) return !isFull && values.some((value) => value !== '');
  return remembered.values.some((value, part) => (value === '') !== (values[part] === ''));
}

/** Remembers a record as it is shown. The hash of a part in error stays what it was. */
export function remember(
  { id, revision, hashes, values }: Pick<Version, 'id' | 'revision' | 'hashes' | 'values'>,
  { records }: TriggerState,
): void {
  const remembered = records.get(id);
  records.set(id, {
    revision: revision ?? remembered?.revision ?? 0,
    hashes: hashes.map((hash, index) => hash || (remembered?.hashes[index] ?? 0)),
    values,
  });
}

/** Whether a record that the state does not know is learned without a word. */
function isLearned({ id, number }: Version, { learnsUpTo, records }: TriggerState): boolean {
  return learnsUpTo !== null && number <= learnsUpTo && records.get(id) === undefined;
}
