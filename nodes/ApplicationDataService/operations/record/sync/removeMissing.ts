import type { IDataObject } from 'n8n-workflow';

import { CALLS_AT_ONCE } from '../../../service/application/session';
import { type ServiceError, toServiceError } from '../../../service/http/errors';
import { assertAnswersWell } from '../../../service/read/absence';
import { findExisting } from '../../../service/read/existing';
import { readCurrent } from '../../../service/read/records';
import { deleteRecords, deletionError } from '../../../service/write/deletion';
import { deleteForm } from '../../../service/write/form';
import { concurrently, settle } from '../../../util/concurrently';
import { counted } from '../../../util/counted';
import { requestOf } from '../../output/dryRun';
import { NO_ITEM } from '../../run/memory';
import type { Group, Outcome } from '../../run/types';
import type { SyncWork } from './readSync';
import type { MissingRecord } from './removalGuards';

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
export async function removeMissing(works: Group<SyncWork>, failed: number): Promise<readonly Outcome[]> {
  const [work] = works;
  const { missing = [] } = work.sync ?? {};
  if (work.options.dryRun) {
    const isRemoved = failed === 0;
    sumUp(work, { removed: isRemoved ? missing.length : 0, kept: isRemoved ? 0 : missing.length, failed });
    return [{ value: isRemoved ? missing.map((record) => ({ json: plannedRemoval(work, record) })) : [] }];
  }
  const there = works.find(({ record }) => record !== null)?.record?.id ?? null;
  const removal = new Removal(work, missing, there);
  if (failed === 0) await removal.run();
  sumUp(work, { ...removal.counts(), failed });
  return removal.outcomes();
}

function plannedRemoval({ app }: SyncWork, { id, shown }: MissingRecord): IDataObject {
  const request = requestOf(deleteForm(app, [id]));
  return { ...outputOf(id, 'deleted', shown), dryRun: true, changes: {}, request };
}

function outputOf(id: string, outcome: 'deleted' | 'conflict', shown: IDataObject): IDataObject {
  return { id, outcome, ...shown };
}

class Removal {
  private readonly progress: Progress;

  private readonly failures = new Map<string, ServiceError>();

  private readonly known: ReadonlyMap<string, MissingRecord>;

  /** Why no further request is sent: the service is in trouble. */
  private stopped: ServiceError | null = null;

  constructor(
    private readonly work: SyncWork,
    missing: readonly MissingRecord[],
    /** A record that is known to be there: an item's. */
    private readonly there: string | null,
  ) {
    const checkpoint = work.item.run.memory.checkpoint<Progress>(NO_ITEM, null);
    this.progress = checkpoint.done ?? { settled: {}, sent: {} };
    checkpoint.recordProgress(this.progress);
    this.known = new Map(missing.map((record) => [record.id, record]));
  }

  async run(): Promise<void> {
    await this.settleSent();
    const ids = [...this.known.keys()].filter((id) => !this.isSettled(id));
    const { deleted, failed } = await deleteRecords(this.work.app, ids, {
      goOn: () => this.stopped === null && this.signal()?.aborted !== true,
      stillMeant: async (asked) => await this.stillMeant(asked),
    });
    for (const id of deleted) this.settle(id, 'deleted');
    for (const [id, error] of failed) this.failures.set(id, error);
    if (this.stopped === null) return;
    for (const id of ids)
      if (!this.isSettled(id) && !this.failures.has(id)) this.failures.set(id, this.stopped);
  }

  /** The records that this or an earlier try has dealt with; then the failures. */
  outcomes(): Outcome[] {
    const settled: Outcome = { value: Object.values(this.progress.settled).map((json) => ({ json })) };
    const deleted = this.idsOf('deleted');
    const error = deletionError([...deleted, ...this.failures.keys()], { deleted, failed: this.failures });
    return error === null ? [settled] : [settled, { error }];
  }

  counts(): { removed: number; kept: number } {
    const removed = this.idsOf('deleted').size;
    const open = [...this.known.keys()].filter((id) => !this.isSettled(id));
    return { removed, kept: this.idsOf('conflict').size + open.length };
  }

  private idsOf(wanted: 'deleted' | 'conflict'): ReadonlySet<string> {
    const settled = Object.entries(this.progress.settled);
    return new Set(settled.flatMap(([id, { outcome }]) => (outcome === wanted ? [id] : [])));
  }

  private signal(): AbortSignal | undefined {
    return this.work.item.run.context.getExecutionCancelSignal();
  }

  private isSettled(id: string): boolean {
    return Object.hasOwn(this.progress.settled, id);
  }

  private settle(id: string, outcome: 'deleted' | 'conflict'): void {
    const shown = this.known.get(id)?.shown ?? this.progress.sent[id] ?? {};
    this.progress.settled[id] = outputOf(id, outcome, shown);
  }

  /** A record that an earlier try asked to delete, and that no longer exists, was deleted by that try. */
  private async settleSent(): Promise<void> {
    const open = Object.keys(this.progress.sent).filter((id) => !this.isSettled(id) && !this.known.has(id));
    if (open.length === 0) return;
    const existing = await this.existing(open);
    for (const id of open) if (!existing.has(id)) this.settle(id, 'deleted');
  }

  /** Reads the records again: one that has changed is kept, one that is gone needs no request. */
  private async stillMeant(ids: readonly string[]): Promise<readonly string[]> {
    const { app, context } = this.work;
    const signal = this.signal();
    const read = await concurrently(
      ids.map((id) => async () => (await readCurrent(app, id, context)).revision),
      { limit: CALLS_AT_ONCE, stopOnError: false, ...(signal && { signal }) },
    );
    const unread = new Map<string, ServiceError>();
    const meant = ids.filter((id, index) => {
      const found = read[index];
      if (found === undefined) return false;
      if ('value' in found) return this.isUnmoved(id, found.value);
      unread.set(id, toServiceError(found.error));
      return false;
    });
    if (unread.size > 0) {
      // Looking those up takes a while, so the others are read again right before the request.
      await this.settleUnread(unread);
      return this.stopped !== null ? [] : await this.stillMeant(meant);
    }
    for (const id of meant) this.progress.sent[id] = this.known.get(id)?.shown ?? {};
    return this.stopped !== null || this.signal()?.aborted === true ? [] : meant;
  }

  private isUnmoved(id: string, revision: number): boolean {
    const isSame = this.known.get(id)?.revision === revision;
    if (!isSame) this.settle(id, 'conflict');
    return isSame;
  }

  /** A record that cannot be read is gone, hidden, or in trouble by itself; or the service is. */
  private async settleUnread(unread: ReadonlyMap<string, ServiceError>): Promise<void> {
    const existing = await settle(async () => await this.existing([...unread.keys()]));
    for (const [id, error] of unread) {
      if ('error' in existing) this.stop(id, existing.error);
      else if (existing.value.has(id)) this.failures.set(id, error);
      else this.settle(id, 'deleted');
    }
  }

  private async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { app } = this.work;
    const existing = await findExisting(app, ids, await app.keyMode());
    // Who may read none of them any more would take all of them for gone.
    if (existing.size < ids.length && this.there !== null) await assertAnswersWell(app, this.there);
    return existing;
  }

  private stop(id: string, error: unknown): void {
    this.stopped ??= toServiceError(error);
    this.failures.set(id, this.stopped);
  }
}

/** What happened to the records that are not in the input. */
interface Removed {
  readonly removed: number;
  /** Should have been removed, but still exist. */
  readonly kept: number;
  readonly failed: number;
}

/** Adds hints that sum up the run, or what it would do. */
function sumUp({ item, options, removal, sync }: SyncWork, { removed, kept, failed }: Removed): void {
  const { hints } = item.run;
  const { outcomes = new Map<string, number>(), others = 0, otherFiles = 0 } = sync ?? {};
  const count = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const [created, updated, unchanged] = ['created', 'updated', 'unchanged'].map(count);
  const rest = others + kept;
  if (options.dryRun) {
    hints.add(
      `${created} would be created, ${updated} would be updated, ${unchanged} unchanged, ${removed} would be removed, ${rest} kept`,
    );
  } else {
    hints.add(
      `${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${rest} kept`,
    );
  }
  if (removal.missing === 'delete' && failed > 0) {
    hints.add(
      `Nothing was removed because ${failed} of the items failed: ${counted(kept, 'record that is not in the input was', 'records that are not in the input were')} kept`,
    );
  }
  if (otherFiles > 0) {
    hints.add(
      `${counted(otherFiles, 'file was left as it is', 'files were left as they are')}: the record holds a file of the same name and another size`,
    );
  }
}
