import type { IDataObject } from 'n8n-workflow';

import { outputKey, partKey } from '../../../parts/model/keys';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { findMissing } from '../../../service/read/notThere';
import { readCurrent } from '../../../service/read/records';
import type { Checkpoint, ItemOutcome } from '../../../service/write/checkpoint';
import { deleteRecords, deletionError } from '../../../service/write/deletion';
import { deleteForm } from '../../../service/write/form';
import { concurrently } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { counted } from '../../../parts/values/describe';
import { requestOf } from '../../output/written';
import { NO_ITEM } from '../../run/memory';
import type { Outcome, OutputItem } from '../../run/types';
import type { SyncWork } from './readSync';
import { describeFirst } from './removalGuards';

/**
 * Removes the records that are not in the input, after all items were written, and sums up the run.
 * @param failed how many items were not written: then nothing is removed.
 * @returns the removed records, and one error for those that could not be removed.
 */
export async function removeMissing(works: NonEmpty<SyncWork>, failed: number): Promise<readonly Outcome[]> {
  const [work] = works;
  const { missing } = work.rest!;
  if (work.options.dryRun) {
    const planned = failed === 0 ? missing : [];
    sumUp(works, planned.length, missing.length - planned.length, failed);
    // They come first: among thousands of items nobody would see them.
    work.outputs.unshift(...planned.map((record) => plannedRemoval(work, record)));
    return [];
  }
  const removal = new SyncRemoval(work, works.find(({ record }) => record !== null)?.record?.id);
  if (failed === 0) await removal.run();
  const { outputs, deleted, failures } = removal;
  sumUp(works, deleted.size, missing.filter(({ id }) => !deleted.has(id)).length, failed);
  const settled: Outcome = { value: outputs.map((json) => ({ json })) };
  const error = deletionError([...deleted, ...failures.keys()], { deleted, failed: failures });
  return error === null ? [settled] : [settled, { error }];
}

function plannedRemoval(work: SyncWork, record: KeyedRecord): OutputItem {
  const request = requestOf(deleteForm(work.app, [record.id]));
  return { json: { ...removalJson(removalOutcome(work, record, 'deleted')), dryRun: true, request } };
}

/** What becomes of a record, with its key parts. */
function removalOutcome(
  { parts, update }: SyncWork,
  { id, record }: KeyedRecord,
  outcome: 'deleted' | 'conflict',
): ItemOutcome {
  const keys = parts.map((part) => outputKey(partKey(part, update.context.keyMode)));
  const key = Object.fromEntries<IDataObject[string]>(keys.map((each) => [each, record[each]]));
  return { outcome, ids: [id], key };
}

function removalJson({ ids: [id] = [], outcome, key }: ItemOutcome): IDataObject {
  return { id, outcome, ...key };
}

class SyncRemoval {
  /** IDs of the records that this or an earlier try has deleted. */
  readonly deleted: Set<string>;

  readonly failures = new Map<string, ServiceError>();

  private readonly checkpoint: Checkpoint;

  /** What becomes of records, by ID, from the moment that they are sent to be deleted. */
  private readonly records: Map<string, ItemOutcome>;

  private readonly missing: ReadonlyMap<string, KeyedRecord>;

  constructor(
    private readonly work: SyncWork,
    /** A record that is known to be there: an item's. */
    private readonly there: string | undefined,
  ) {
    const { item, app, rest } = work;
    this.checkpoint = item.run.memory.checkpoint([NO_ITEM], [app.application.id], null);
    const { items = [] } = this.checkpoint.done ?? {};
    this.records = new Map(items.map((each) => [each.ids![0]!, each]));
    this.missing = new Map(rest!.missing.map((record) => [record.id, record]));
    // The list is proven to be whole: what an earlier try has sent to be deleted, and is not in it, was deleted.
    this.deleted = new Set(this.sent().filter((id) => !rest!.ids.has(id)));
  }

  /** Of the records that this or an earlier try has dealt with. */
  get outputs(): IDataObject[] {
    return [...this.records].flatMap(([id, each]) =>
      each.outcome === 'conflict' || this.deleted.has(id) ? [removalJson(each)] : [],
    );
  }

  async run(): Promise<void> {
    const lost = new Set(this.checkpoint.doubt === null ? [] : this.sent());
    const open = [...this.missing.keys()].filter((id) => this.records.get(id)?.outcome !== 'conflict');
    const meant = async (ids: readonly string[]) => await this.stillMeant(ids);
    const { deleted, failed } = await deleteRecords(this.work.app, open, meant, lost);
    for (const id of deleted) this.deleted.add(id);
    for (const [id, error] of failed) this.failures.set(id, error);
  }

  private sent(): string[] {
    return [...this.records].flatMap(([id, { outcome }]) => (outcome === 'deleted' ? id : []));
  }

  private record(id: string, outcome: 'deleted' | 'conflict'): void {
    this.records.set(id, removalOutcome(this.work, this.missing.get(id)!, outcome));
  }

  private keep(): void {
    this.checkpoint.recordProgress({ id: '', items: [...this.records.values()], open: [] });
  }

  /**
   * Reads the records again: one that has changed is kept, one that is gone needs no request.
   * @throws ServiceError if none can be read: the service is in trouble.
   */
  private async stillMeant(ids: readonly string[]): Promise<readonly string[]> {
    const { item, app, update } = this.work;
    const signal = item.run.context.getExecutionCancelSignal();
    const tasks = ids.map((id) => async () => await readCurrent(app, id, update.context));
    const read = await concurrently(tasks, { limit: CALLS_AT_ONCE, stopOnError: false, signal });
    if (signal?.aborted === true) return [];
    const unread = new Map<string, unknown>();
    const meant = ids.filter((id, index) => {
      const current = read[index]!;
      if ('error' in current) unread.set(id, current.error);
      else if (current.value.revision === this.missing.get(id)?.revision) return true;
      else this.record(id, 'conflict');
      return false;
    });
    const refused = [...unread.keys()].filter((id) => isRefusal(unread.get(id)));
    if (unread.size === ids.length && refused.length === 0) throw unread.get(ids[0]!);
    const gone = await findMissing(app, refused, meant[0] ?? this.there);
    for (const [id, error] of unread) if (!gone.has(id)) this.failures.set(id, toServiceError(error));
    for (const id of gone) {
      this.record(id, 'deleted');
      this.deleted.add(id);
    }
    this.keep();
    // Looking those up takes a while, so the others are read again right before the request.
    if (refused.length > 0) return meant.length > 0 ? await this.stillMeant(meant) : [];
    for (const id of meant) this.record(id, 'deleted');
    this.keep();
    return meant;
  }
}

/**
 * Adds hints that sum up the run, or what it would do.
 * @param kept how many records should have been removed, but still exist
 */
function sumUp(works: NonEmpty<SyncWork>, removed: number, kept: number, failed: number): void {
  const [{ item, options, terms, rest }] = works;
  const { hints } = item.run;
  const count = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const be = options.dryRun ? 'would be ' : '';
  const named = options.dryRun && removed > 0 ? ` (${describeFirst(rest!.missing)})` : '';
  const counts = [
    [count('created'), `${be}created`],
    [count('updated'), `${be}updated`],
    [count('unchanged'), 'unchanged'],
    [removed, `${be}removed${named}`],
    [rest!.others + kept, 'kept'],
  ] as const;
  const told = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  if (told.length > 0) hints.add(told.join(', '));
  if (terms.missing === 'delete' && failed > 0) {
    hints.add(
      `Nothing was removed because ${failed} of the items failed: ${counted(kept, 'record that is not in the input was', 'records that are not in the input were')} kept`,
    );
  }
}
