import type { IDataObject } from 'n8n-workflow';

import type { ApplicationSession } from '../../service/application/session';
import { findExisting } from '../../service/read/existing';
import type { Checkpoint } from '../../service/write/checkpoint';
import { deleteRecords, type Deletion } from '../../service/write/deletion';
import type { Settled } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';
import type { Group, Outcome, OutputItem } from '../run/types';

/** An item with the ids it names. */
export interface DeleteWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly ids: readonly string[];
  readonly isDryRun: boolean;
  readonly failIfNotFound: boolean;
}

/** What is remembered of an item: its result or, before that, the IDs that were found to exist. */
interface Progress extends IDataObject {
  found?: string[];
  outcome?: string;
}

interface Begun extends DeleteWork {
  readonly checkpoint: Checkpoint<Progress>;
}

/** Deletes the records of several items together, and assigns the results to the items. */
export async function deleteTogether(works: Group<DeleteWork>): Promise<readonly Outcome[]> {
  const begun = works.map((work): Begun => ({ ...work, checkpoint: work.item.checkpoint(work.ids) }));
  const open = begun.filter(({ checkpoint: { done } }) => done?.outcome === undefined);
  const [first] = open;
  const deletion = first === undefined ? NOTHING : await deleteAll(first, open);
  return begun.map((each) => {
    const { done } = each.checkpoint;
    const outcome = done?.outcome === undefined ? outcomeOf(each, deletion) : { value: [{ json: done }] };
    return outcome === undefined || 'error' in outcome ? outcome : judged(each, outcome.value[0].json);
  });
}

const NOTHING: Deletion = { deleted: new Set(), notFound: new Set(), failed: new Map() };

async function deleteAll({ item, app, isDryRun }: Begun, works: readonly Begun[]): Promise<Deletion> {
  const ids = [...new Set(works.flatMap((each) => each.ids))];
  const found = await findExisting(app, ids, await app.keyMode());
  const existing = ids.filter((id) => found.has(id));
  // What an earlier, unfinished try found. If any of these no longer exist, that try deleted them.
  const before = new Set(works.flatMap(({ checkpoint }) => checkpoint.done?.found ?? []));
  const notFound = new Set(ids.filter((id) => !found.has(id) && !before.has(id)));
  if (isDryRun) return { deleted: new Set(existing), notFound, failed: new Map() };
  for (const { checkpoint, ids: own } of works) {
    checkpoint.reached({ found: own.filter((id) => !notFound.has(id)) });
  }
  const signal = item.run.context.getExecutionCancelSignal();
  const { deleted, failed } = await deleteRecords(app, existing, {
    goOn: () => signal?.aborted !== true,
  });
  const gone = [...before].filter((id) => !found.has(id));
  return { notFound, deleted: new Set([...deleted, ...gone]), failed };
}

/** Reports what did not exist, and fails if the options say so. */
function judged({ item, app, failIfNotFound }: Begun, json: IDataObject): Outcome {
  const missing = json.notFound as string[];
  if (failIfNotFound && json.outcome === 'notFound') {
    return {
      error: new UserError(
        `There is no record ${missing.join(', ')} in ${app.application.name}`,
        'Nothing was deleted for this item. Check the ID, or turn off "Fail If Not Found" in the options.',
      ),
    };
  }
  item.run.hints.tally('Records not found, so there was nothing to delete', missing.length);
  return { value: [{ json }] };
}

function outcomeOf(work: Begun, { deleted, notFound, failed }: Deletion): Settled<[OutputItem]> | undefined {
  const { item, ids, isDryRun, checkpoint } = work;
  const gone = ids.filter((id) => deleted.has(id));
  const stays = ids.filter((id) => failed.has(id));
  const culprit = failed.get(stays[0] ?? '');
  if (culprit !== undefined) {
    const went =
      gone.length === 0 ? 'Nothing else was deleted for this item.' : `Deleted were: ${gone.join(', ')}.`;
    const message = `Not deleted: ${stays.join(', ')}. ${culprit.message}`;
    return { error: new UserError(message, `${went} ${culprit.description}`) };
  }
  // Cancelled before it was started.
  if (ids.some((id) => !deleted.has(id) && !notFound.has(id))) return undefined;
  const isDeleted = gone.length > 0;
  const json: IDataObject & { outcome: string } = {
    ...(isDryRun && { dryRun: true }),
    deleted: isDeleted && !isDryRun,
    ids: gone,
    notFound: ids.filter((id) => notFound.has(id)),
    outcome: isDeleted ? 'deleted' : 'notFound',
  };
  if (!isDryRun) checkpoint.reached(json);
  if (!isDryRun) item.run.hints.count(isDeleted ? 'deleted' : 'not found');
  return { value: [{ json }] };
}
