import type { IDataObject } from 'n8n-workflow';

import { outputKey, partKey } from '../../../parts/model/keys';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { findMissing } from '../../../service/read/notThere';
import { readCurrent } from '../../../service/read/records';
import type { Checkpoint } from '../../../service/write/checkpoint';
import { deleteRecords, deletionError } from '../../../service/write/deletion';
import { deleteForm } from '../../../service/write/form';
import { concurrently } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { counted } from '../../../util/counted';
import { requestOf } from '../../output/dryRun';
import { NO_ITEM } from '../../run/memory';
import type { Outcome } from '../../run/types';
import type { SyncWork } from './readSync';

/** What is remembered of a removal: its results, and what it was about to do. */
interface Progress extends IDataObject {
  /** Outputs of records that were settled, by ID. */
  settled: Record<string, IDataObject>;
  /** Key parts of records that were sent to be deleted, by ID. */
  sent: Record<string, IDataObject>;
}

/**
 * Removes the records that are not in the input, after all items were written, and sums up the run.
 * @param failed how many items were not written: then nothing is removed.
 * @returns the removed records, and one error for those that could not be removed.
 */
export async function removeMissing(works: NonEmpty<SyncWork>, failed: number): Promise<readonly Outcome[]> {
  const [work] = works;
  const { app, options, sync } = work;
  if (options.dryRun) {
    const { missing } = sync!;
    const removed = failed === 0 ? missing : [];
    sumUp(work, removed.length, missing.length - removed.length, failed);
    const planned = removed.map((record): IDataObject => {
      const request = requestOf(deleteForm(app, [record.id]));
      const { id } = record;
      return { id, outcome: 'deleted', ...shownKey(work, record), dryRun: true, changes: {}, request };
    });
    return [{ value: planned.map((json) => ({ json })) }];
  }
  const removal = new Removal(work, works.find(({ record }) => record !== null)?.record?.id);
  if (failed === 0) await removal.run();
  const { deleted, kept } = removal;
  sumUp(work, deleted.size, kept, failed);
  return removal.outcomes();
}

/** The key parts of a record as the output shows them. */
function shownKey({ parts, context }: SyncWork, { record }: KeyedRecord): IDataObject {
  const keys = parts.map((part) => outputKey(partKey(part, context.keyMode)));
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

class Removal {
  private readonly checkpoint: Checkpoint<Progress>;

  private readonly progress: Progress;

  private readonly failures = new Map<string, ServiceError>();

  private readonly known: ReadonlyMap<string, KeyedRecord>;

  private readonly signal: AbortSignal | undefined;

  constructor(
    private readonly work: SyncWork,
    /** A record that is known to be there: an item's. */
    private readonly there: string | undefined,
  ) {
    const { item, app, sync } = work;
    this.checkpoint = item.run.memory.checkpoint<Progress>([NO_ITEM], [app.application.id], null);
    this.progress = this.checkpoint.done ?? { settled: {}, sent: {} };
    this.known = new Map(sync!.missing.map((record) => [record.id, record]));
    this.signal = item.run.context.getExecutionCancelSignal();
  }

  /** IDs of the records that this or an earlier try has deleted. */
  get deleted(): ReadonlySet<string> {
    const settled = Object.entries(this.progress.settled);
    return new Set(settled.flatMap(([id, { outcome }]) => (outcome === 'deleted' ? [id] : [])));
  }

  /** How many records should have been removed, but still exist. */
  get kept(): number {
    return (
      Object.keys(this.progress.settled).length - this.deleted.size + this.open(this.known.keys()).length
    );
  }

  async run(): Promise<void> {
    const { app } = this.work;
    // A record that an earlier try asked to delete, and that is not listed any more, was deleted by that try.
    const sent = this.open(Object.keys(this.progress.sent)).filter((id) => !this.known.has(id));
    for (const id of await findMissing(app, sent, this.there)) this.mark(id, 'deleted');
    const meant = async (asked: readonly string[]) => await this.stillMeant(asked);
    const lost = new Set(this.checkpoint.indeterminate === null ? [] : Object.keys(this.progress.sent));
    const { deleted, failed } = await deleteRecords(app, this.open(this.known.keys()), meant, lost);
    for (const id of deleted) this.mark(id, 'deleted');
    for (const [id, error] of failed) this.failures.set(id, error);
  }

  /** The records that this or an earlier try has dealt with; then the failures. */
  outcomes(): Outcome[] {
    const { deleted, failures } = this;
    const settled: Outcome = { value: Object.values(this.progress.settled).map((json) => ({ json })) };
    const error = deletionError([...deleted, ...failures.keys()], { deleted, failed: failures });
    return error === null ? [settled] : [settled, { error }];
  }

  /** Those that are not settled. */
  private open(ids: Iterable<string>): string[] {
    return [...ids].filter((id) => !Object.hasOwn(this.progress.settled, id));
  }

  private mark(id: string, outcome: 'deleted' | 'conflict'): void {
    const record = this.known.get(id);
    const shown = record === undefined ? this.progress.sent[id] : shownKey(this.work, record);
    this.progress.settled[id] = { id, outcome, ...shown };
    this.checkpoint.recordProgress(this.progress);
  }

  /**
   * Reads the records again: one that has changed is kept, one that is gone needs no request.
   * @throws ServiceError if none can be read: the service is in trouble.
   */
  private async stillMeant(ids: readonly string[]): Promise<readonly string[]> {
    const { app, context } = this.work;
    const read = await concurrently(
      ids.map((id) => async () => (await readCurrent(app, id, context)).revision),
      { limit: CALLS_AT_ONCE, stopOnError: false, signal: this.signal },
    );
    if (this.signal?.aborted === true) return [];
    const refused = new Map<string, ServiceError>();
    const meant = ids.filter((id, index) => {
      const found = read[index]!;
      if ('value' in found) {
        if (this.known.get(id)?.revision === found.value) return true;
        this.mark(id, 'conflict');
      } else if (isRefusal(found.error)) refused.set(id, found.error);
      else this.failures.set(id, toServiceError(found.error));
      return false;
    });
    if (refused.size === 0) {
      const failure = read.find((found) => found !== undefined && 'error' in found);
      if (failure !== undefined && !read.some((found) => found !== undefined && 'value' in found))
        throw failure.error;
      for (const id of meant) this.progress.sent[id] = shownKey(this.work, this.known.get(id)!);
      this.checkpoint.recordProgress(this.progress);
      return meant;
    }
    const missing = await findMissing(app, [...refused.keys()], meant[0] ?? this.there);
    for (const [id, error] of refused) {
      if (missing.has(id)) this.mark(id, 'deleted');
      else this.failures.set(id, error);
    }
    // Looking those up takes a while, so the others are read again right before the request.
    return await this.stillMeant(meant);
  }
}

/**
 * Adds hints that sum up the run, or what it would do.
 * @param kept how many records should have been removed, but still exist
 */
function sumUp(
  { item, options, removal, sync }: SyncWork,
  removed: number,
  kept: number,
  failed: number,
): void {
  const { hints } = item.run;
  const { outcomes, others } = sync!;
  const count = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const be = options.dryRun ? 'would be ' : '';
  hints.add(
    `${count('created')} ${be}created, ${count('updated')} ${be}updated, ${count('unchanged')} unchanged, ${removed} ${be}removed, ${others + kept} kept`,
  );
  if (removal.missing === 'delete' && failed > 0) {
    hints.add(
      `Nothing was removed because ${failed} of the items failed: ${counted(kept, 'record that is not in the input was', 'records that are not in the input were')} kept`,
    );
  }
}
