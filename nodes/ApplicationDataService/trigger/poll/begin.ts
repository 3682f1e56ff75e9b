import { unless } from '../../util/concurrently';
import { idNumber } from '../state/idOrder';
import { RecordTable } from '../state/recordTable';
import type { TriggerState } from '../state/triggerState';
import type { ReadContext } from './context';
import { countRecent, newestOf } from './quickPass';

/** How many of the highest IDs are checked to see whether IDs grow. */
const HIGHEST_IDS = 50;

/** An empty state, except for what distinguishes new records from old ones. */
export async function begin(context: Omit<ReadContext, 'state'>): Promise<TriggerState> {
  const { fingerprint, credential, emitExisting } = context.settings;
  const highestId = emitExisting ? -1 : await highestOf(context);
  return {
    fingerprint,
    credential,
    records: new RecordTable(),
    baseline: { highestId, emitExisting, adopts: false },
    scan: null,
    waiting: new Map(),
    settling: false,
    heldBack: false,
    quick: null,
    lastFullScan: 0,
    turn: 0,
    isOrdered: highestId !== null,
    full: false,
    failing: 0,
  };
}

/** Takes over what was learned with another credential. The next scan learns what else this one can see. */
export async function adopt(context: ReadContext): Promise<void> {
  const { state, settings } = context;
  state.baseline = { highestId: await highestOf(context), emitExisting: false, adopts: true };
  state.credential = settings.credential;
  state.scan = null;
}

/** Records from where on the list of the last changed records is known. If that fails, full scans are made instead. */
export async function markQuick({
  state,
  settings,
  source,
  now,
  budget,
  memory,
}: ReadContext): Promise<void> {
  const { quick } = settings;
  if (quick !== undefined && state.quick?.part === quick.part) return;
  state.quick = null;
  if (quick === undefined) return;
  const slice = { offset: 0, ...memory.heads.next(budget) };
  const listed = await unless(
    (failure) => !source.concernsAll(failure),
    async () => await source.newest(slice, false),
  );
  if (listed === null) return;
  const boundary = newestOf(listed, now);
  state.quick = { part: quick.part, boundary };
  memory.recent = countRecent(listed, boundary);
}

/** The highest ID if IDs grow; -1 if there are no records, `null` if IDs do not grow. */
async function highestOf({ source, warn }: Pick<ReadContext, 'source' | 'warn'>): Promise<number | null> {
  const ids = await source.lastIds(HIGHEST_IDS);
  // An application that is not running may list nothing, and all its records would then count as new.
  if (ids.length === 0) await source.assertRunning();
  let previous = Infinity;
  for (const id of ids) {
    const number = idNumber(id);
    if (number < 0 || number >= previous) {
      warn(
        'Record IDs do not increase: records created during the first scan cannot be distinguished from older ones',
      );
      return null;
    }
    previous = number;
  }
  return ids[0] === undefined ? -1 : idNumber(ids[0]);
}
