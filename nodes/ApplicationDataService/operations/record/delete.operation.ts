import { noneFound } from '../../common/errors';
import { failIfNotFound, dryRun } from '../../common/options';
import { applicationProperty, recordIdsProperty } from '../../common/properties';
import type { ApplicationSession } from '../../service/application/session';
import { findExisting } from '../../service/read/notThere';
import type { Checkpoint, ItemOutcome, Progress } from '../../service/write/checkpoint';
import { isInDoubt } from '../../service/http/errors';
import { deleteRecords, type Deletion, deletionError } from '../../service/write/deletion';
import { pause, settle } from '../../util/concurrently';
import type { NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { readRecordIds } from '../input/several';
import type { Item } from '../run/item';
import { groupOperation, type Outcome } from '../run/types';

/**
 * Deletes the records of all items together: first which of them exist, by a `get_data` for each or a scan by
 * `list_data`, then `delete_data` with up to 200 IDs a request. A refused request is halved until the culprit is alone.
 * One item per item: the IDs that were deleted, and those that were not there; an ID in two items counts for both.
 */
export const deleteRecord = groupOperation({
  resource: 'record',
  value: 'delete',
  name: 'Delete',
  action: 'Delete record',
  description: 'Delete one or more records',
  properties: [applicationProperty, recordIdsProperty],
  options: { dryRun, failIfNotFound },
  async read(item, options): Promise<DeleteWork> {
    const ids = readRecordIds(item);
    const wrong = ids.find((id) => !/^[\w-]+$/.test(id));
    if (wrong === undefined) return { item, app: await item.application(), ids, ...options };
    throw new UserError(
      `"${wrong}" is not a record ID`,
      'Enter several IDs as a comma-separated list or an array.',
    );
  },
  serialKeyOf: ({ app, dryRun: isDryRun }) => JSON.stringify([app.application.id, isDryRun]),
  // All records of an application are deleted together.
  groupOf: () => '',
  runGroup: deleteTogether,
});

interface DeleteWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly ids: readonly string[];
  readonly dryRun: boolean;
  readonly failIfNotFound: boolean;
}

interface Begun extends DeleteWork {
  readonly checkpoint: Checkpoint;
}

/** IDs that a request of this or an earlier try has named. If any of these no longer exists, that deleted it. */
function sentBy({ checkpoint }: Begun): readonly string[] {
  return checkpoint.progress?.open ?? [];
}

function openProgress(open: readonly string[], items: Progress['items']): Progress {
  return { id: '', items, open };
}

function isEnded({ checkpoint: { progress } }: Begun): boolean {
  return progress !== null && progress.open === undefined;
}

async function deleteTogether(works: NonEmpty<DeleteWork>): Promise<readonly Outcome[]> {
  const begun: Begun[] = [];
  for (const work of works) {
    await pause();
    begun.push({ ...work, checkpoint: work.item.checkpoint(work.app, work.ids.join(), null) });
  }
  const open = begun.filter((each) => !isEnded(each));
  const [first] = open;
  const deletion = first === undefined ? null : await settle(async () => await deleteAll(first, open));
  return begun.map((each) => {
    // What an earlier try has finished is given again, whatever fails now.
    if (deletion === null || isEnded(each)) return presentDeletion(each, each.checkpoint.progress!.items[0]!);
    return 'error' in deletion ? deletion : conclude(each, deletion.value);
  });
}

type Deleted = Deletion & { readonly notFound: ReadonlySet<string> };

async function deleteAll({ item, app, dryRun: isDryRun }: Begun, works: readonly Begun[]): Promise<Deleted> {
  const ids = [...new Set(works.flatMap((each) => each.ids))];
  const there = await findExisting(app, ids);
  const existing = ids.filter((id) => there.has(id));
  // An earlier try asked for these.
  const before = new Set(works.flatMap(sentBy));
  const gone = ids.filter((id) => !there.has(id) && before.has(id));
  const notFound = new Set(ids.filter((id) => !there.has(id) && !before.has(id)));
  if (isDryRun) return { deleted: new Set(existing), notFound, failed: new Map() };
  const signal = item.run.context.getExecutionCancelSignal();
  const stillMeant = async (asked: readonly string[]): Promise<readonly string[]> => {
    if (signal?.aborted === true) return [];
    const named = new Set(asked);
    for (const work of works) {
      await pause();
      const sent = work.ids.filter((id) => named.has(id));
      // An item that a request does not name stays as an earlier try has left it, in doubt perhaps.
      if (sent.length === 0) continue;
      const { items = [] } = work.checkpoint.progress ?? {};
      const all = [...new Set([...sentBy(work), ...sent])];
      work.checkpoint.recordProgress(openProgress(all, items));
    }
    return asked;
  };
  const open = works.filter(({ checkpoint }) => checkpoint.doubt !== null);
  const lost = new Set(open.flatMap(sentBy));
  const { deleted, failed } = await deleteRecords(app, existing, stillMeant, lost);
  return { notFound, deleted: new Set([...deleted, ...gone]), failed };
}

/** Reports what did not exist, and fails if the options say so. */
function presentDeletion(work: Begun, { outcome, ids = [], notFound: missing = [] }: ItemOutcome): Outcome {
  const { item, app, failIfNotFound: fails, dryRun: isDryRun } = work;
  if (fails && outcome === 'notFound') {
    const none = missing.length === 1 ? 'is no record' : 'are no records';
    return { error: noneFound(`There ${none} ${missing.join(', ')} in ${app.application.name}`) };
  }
  item.run.hints.tally('Records not found, so there was nothing to delete', missing.length);
  const json = {
    ...(isDryRun && { dryRun: true }),
    deleted: outcome === 'deleted' && !isDryRun,
    ids: [...ids],
    notFound: [...missing],
    outcome,
  };
  return { value: [{ json }] };
}

function conclude(work: Begun, deletion: Deleted): Outcome {
  const { ids, dryRun: isDryRun, checkpoint } = work;
  const gone = ids.filter((id) => deletion.deleted.has(id));
  const error = deletionError(ids, deletion);
  const isOver = ids.every((id) => deletion.deleted.has(id) || deletion.notFound.has(id));
  // What was surely refused was not deleted by a request of ours, whoever deletes it later.
  const inDoubt = ids.filter((id) => isInDoubt(deletion.failed.get(id)));
  if (!isOver && checkpoint.progress !== null)
    checkpoint.recordProgress(
      openProgress([...gone, ...inDoubt], gone.length > 0 ? [{ outcome: 'deleted', ids: gone }] : []),
    );
  if (error !== null) return { error };
  // Cancelled before all of it was sent.
  if (!isOver) return undefined;
  const outcome = gone.length > 0 ? 'deleted' : 'notFound';
  const own = { outcome, ids: gone, notFound: ids.filter((id) => deletion.notFound.has(id)) } as const;
  if (outcome === 'deleted' && !isDryRun) checkpoint.recordProgress({ id: '', items: [own] });
  return presentDeletion(work, own);
}
