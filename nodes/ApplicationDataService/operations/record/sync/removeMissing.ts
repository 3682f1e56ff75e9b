import type { IDataObject } from 'n8n-workflow';

import { outputKey, partKey } from '../../../parts/model/keys';
import { readText } from '../../../parts/values/shapes';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import type { KeyedRecord } from '../../../service/read/keyedRecords';
import { findMissing } from '../../../service/read/notThere';
import { readCurrent } from '../../../service/read/records';
import type { Checkpoint } from '../../../service/write/writeRecord';
import { deleteRecords, deletionError } from '../../../service/write/deletion';
import { deleteForm } from '../../../service/write/form';
import { concurrently } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { counted } from '../../../parts/values/describe';
import { requestOf } from '../../output/dryRun';
import { NO_ITEM } from '../../run/memory';
import type { Outcome, OutputItem } from '../../run/types';
import type { SyncWork } from './readSync';

/**
 * Removes the records that are not in the input, after all items were written, and sums up the run.
 * @param failed how many items were not written: then nothing is removed.
 * @returns the removed records, and one error for those that could not be removed.
 */
export async function removeMissing(works: NonEmpty<SyncWork>, failed: number): Promise<readonly Outcome[]> {
  const [work] = works;
  const { missing } = work.rest!;
  const removal = new Removal(work, works.find(({ record }) => record !== null)?.record?.id);
  if (work.options.dryRun) {
    const planned = failed === 0 ? missing : [];
    sumUp(works, planned.length, missing.length - planned.length, failed);
    return [{ value: planned.map((record) => planOf(work, record)) }];
  }
  if (failed === 0) await removal.run();
  sumUp(works, removal.deleted.size, removal.kept, failed);
  return removal.outcomes();
}

function planOf(work: SyncWork, record: KeyedRecord): OutputItem {
  const { id } = record;
  const request = requestOf(deleteForm(work.app, [id]));
  return { json: { id, outcome: 'deleted', ...shownKey(work, record), dryRun: true, changes: {}, request } };
}

/** The key parts of a record as the output shows them. */
function shownKey({ parts, update }: SyncWork, { record }: KeyedRecord): IDataObject {
  const keys = parts.map((part) => outputKey(partKey(part, update.context.keyMode)));
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

/** What is remembered: outputs by the IDs of records; without an outcome, of those that were sent to be deleted. */
interface Progress extends IDataObject {
  records: Record<string, IDataObject>;
}

class Removal {
  private readonly checkpoint: Checkpoint<Progress>;

  private readonly progress: Progress;

  private readonly listed: ReadonlyMap<string, KeyedRecord>;

  private readonly failures = new Map<string, ServiceError>();

  constructor(
    private readonly work: SyncWork,
    /** A record that is known to be there: an item's. */
    private readonly there: string | undefined,
  ) {
    const { item, app, rest } = work;
    this.checkpoint = item.run.memory.checkpoint<Progress>([NO_ITEM], [app.application.id], null);
    this.progress = this.checkpoint.done ?? { records: {} };
    this.listed = new Map(rest!.missing.map((record) => [record.id, record]));
  }

  /** IDs of the records that this or an earlier try has deleted. */
  get deleted(): ReadonlySet<string> {
    return new Set(this.settled().flatMap(({ id, outcome }) => (outcome === 'deleted' ? readText(id) : [])));
  }

  /** How many records should have been removed, but still exist. */
  get kept(): number {
    return this.settled().length - this.deleted.size + this.open(this.listed.keys()).length;
  }

  async run(): Promise<void> {
    const { app } = this.work;
    const sent = this.open(Object.keys(this.progress.records));
    // A record that an earlier try asked to delete, and that is not listed any more, was deleted by that try.
    const unlisted = sent.filter((id) => !this.listed.has(id));
    for (const id of await findMissing(app, unlisted, this.there)) this.mark(id, 'deleted');
    const meant = async (ids: readonly string[]) => await this.stillMeant(ids);
    const lost = new Set(this.checkpoint.indeterminate === null ? [] : sent);
    const { deleted, failed } = await deleteRecords(app, this.open(this.listed.keys()), meant, lost);
    for (const id of deleted) this.mark(id, 'deleted');
    for (const [id, error] of failed) this.failures.set(id, error);
  }

  /** The records that this or an earlier try has dealt with; then the failures. */
  outcomes(): Outcome[] {
    const { deleted, failures } = this;
    const settled: Outcome = { value: this.settled().map((json) => ({ json })) };
    const error = deletionError([...deleted, ...failures.keys()], { deleted, failed: failures });
    return error === null ? [settled] : [settled, { error }];
  }

  private settled(): IDataObject[] {
    return Object.values(this.progress.records).filter(({ outcome }) => outcome !== undefined);
  }

  /** Those that are not settled. */
  private open(ids: Iterable<string>): string[] {
    return [...ids].filter((id) => this.progress.records[id]?.outcome === undefined);
  }

  private mark(id: string, outcome: 'deleted' | 'conflict'): void {
    this.progress.records[id] = { id, outcome, ...this.shown(id) };
    this.checkpoint.recordProgress(this.progress);
  }

  private shown(id: string): IDataObject {
    const record = this.listed.get(id);
    return record === undefined ? this.progress.records[id]! : shownKey(this.work, record);
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
      const found = read[index]!;
      if ('error' in found) unread.set(id, found.error);
      else if (found.value.revision === this.listed.get(id)?.revision) return true;
      else this.mark(id, 'conflict');
      return false;
    });
    const refused = [...unread.keys()].filter((id) => isRefusal(unread.get(id)));
    if (unread.size === ids.length && refused.length === 0) throw unread.get(ids[0]!);
    const missing = await findMissing(app, refused, meant[0] ?? this.there);
    for (const [id, error] of unread) {
      if (missing.has(id)) this.mark(id, 'deleted');
      else this.failures.set(id, toServiceError(error));
    }
    // Looking those up takes a while, so the others are read again right before the request.
    if (refused.length > 0) return await this.stillMeant(meant);
    for (const id of meant) this.progress.records[id] = this.shown(id);
    this.checkpoint.recordProgress(this.progress);
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
  hints.add(
    `${count('created')} ${be}created, ${count('updated')} ${be}updated, ${count('unchanged')} unchanged, ${removed} ${be}removed, ${rest!.others + kept} kept`,
  );
  if (terms.missing === 'delete' && failed > 0) {
    hints.add(
      `Nothing was removed because ${failed} of the items failed: ${counted(kept, 'record that is not in the input was', 'records that are not in the input were')} kept`,
    );
  }
}
