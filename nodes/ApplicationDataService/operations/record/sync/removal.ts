import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { namePart } from '../../../parts/model/errors';
import { outputKey, partKey } from '../../../parts/model/keys';
import { CALLS_AT_ONCE } from '../../../service/application/session';
import { isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import { type KeyedRecord, keyText, type MatchKey } from '../../../service/read/keyedRecords';
import { findMissing } from '../../../service/read/notThere';
import { readCurrent } from '../../../service/read/records';
import type { Checkpoint, ItemOutcome } from '../../../service/write/checkpoint';
import { deleteRecords, deletionError } from '../../../service/write/deletion';
import { deleteForm } from '../../../service/write/form';
import { concurrently } from '../../../util/concurrently';
import type { NonEmpty } from '../../../util/groupBy';
import { counted, describeValues } from '../../../parts/values/describe';
import { likeness } from '../../../parts/values/likeness';
import { UserError } from '../../../util/userError';
import { requestOf } from '../../output/written';
import { NO_ITEM } from '../../run/memory';
import type { Outcome, OutputItem } from '../../run/types';
import type { Rest, SyncWork } from './readSync';

const MAX_RECORDS_NAMED = 5;

/** Why it is refused, as the rest of a sentence, and what to do. */
type Objection = readonly [why: string, advice: string];

/**
 * Why the removal is refused; `null` if it is not. The message says how many records would be removed, and names the
 * first.
 * @param isWhole whether every item can be written: else it is not known how many would go, so no number counts.
 */
export function removalRefusal(works: NonEmpty<SyncWork>, rest: Rest, isWhole: boolean): UserError | null {
  const [work] = works;
  const tooManyNow = isWhole ? tooMany(work, rest) : null;
  const objection = partOfList(work.item.run.context) ?? tooManyNow ?? nearlySameKey(works, rest.missing);
  if (objection === null) return null;
  const [why, advice] = objection;
  return new UserError(`Sync refused to remove ${describeMissing(rest.missing)}: ${why}`, advice);
}

/** The input may be only a part of the list. Then the records of the rest would be removed. */
function partOfList(context: IExecuteFunctions): Objection | null {
  const { name, executeOnce } = context.getNode();
  if (executeOnce === true)
    return [
      'the node is set to Execute Once, so it receives only the first item',
      'Turn off Execute Once in the settings of the node.',
    ];
  const sources = sourcesOf(context, name);
  const parents = context.getParentNodes(name);
  const children = new Set([name, ...context.getChildNodes(name).map((child) => child.name)]);
  const loopWith = [...sources, ...parents.map((parent) => parent.name)].find((each) => children.has(each));
  if (loopWith !== undefined)
    return [
      `the node is in a loop with "${loopWith}", so each run has only part of the list`,
      'Take the node out of the loop and give it all items at once.',
    ];
  // A deactivated node passes on its input, which is empty if no node is connected before it.
  const isEmpty = (source: string): boolean =>
    parents.find((parent) => parent.name === source)?.disabled === true &&
    context.getParentNodes(source).length === 0;
  const filled = sources.filter((source) => !isEmpty(source));
  if (filled.length > 1)
    return [
      `several connections lead to the node (from ${filled.join(', ')}), so each may bring only part of the list`,
      'Join the branches with a Merge node before it.',
    ];
  // A retry is the same run.
  const run = context.getWorkflowDataProxy(0).$runIndex as number;
  if (run === 0) return null;
  return [
    `this is run ${run + 1} of the node in one execution, so each run may have only part of the list`,
    'Collect all items before the node, for example with a Merge or an Aggregate node, so that it runs once.',
  ];
}

/** The connections of a workflow by the node that they lead to, as n8n holds them. */
type Connections = Partial<
  Record<string, { readonly main?: readonly (readonly { readonly node: string }[] | null)[] }>
>;

/**
 * n8n reports the nodes directly before this one, each once. Two outputs of one node count twice, which only the
 * connections show. The execution contexts contain these, although their types do not say so.
 */
function sourcesOf(context: IExecuteFunctions, name: string): string[] {
  const { workflow } = context as { workflow?: { connectionsByDestinationNode?: Connections } };
  const inputs = workflow?.connectionsByDestinationNode?.[name]?.main;
  if (inputs !== undefined) return inputs.flatMap((each) => (each ?? []).map(({ node }) => node));
  return context.getParentNodes(name, { depth: 1 }).map((parent) => parent.name);
}

function tooMany({ terms, options }: SyncWork, { missing, inScope }: Rest): Objection | null {
  const advice = 'Make sure that the input is the whole list. If all of them should go,';
  if (missing.length > terms.maxRemovals)
    return [`Max Removals is ${terms.maxRemovals}`, `${advice} raise Max Removals.`];
  if (options.allowMostRemovals || missing.length * 2 <= inScope) return null;
  return [
    `that is more than half of the ${counted(inScope, 'record')} that may be removed`,
    `${advice} turn on the option "Allow Most to Be Removed".`,
  ];
}

/** An item whose key is written differently than before would be created again, and its record removed. */
function nearlySameKey(works: NonEmpty<SyncWork>, missing: Rest['missing']): Objection | null {
  if (missing.length === 0) return null;
  const sought = new Map(works.map(({ key }) => [keyLikeness(key), key]));
  for (const { id, key } of missing) {
    const like = sought.get(keyLikeness(key));
    if (like === undefined) continue;
    return [
      `the key of record ${id}, ${describeValues(key)}, is nearly the same as that of an item, ${describeValues(like)}`,
      `Write ${works[0].parts.map(namePart).join(' and ')} the same way in the input and in the application.`,
    ];
  }
  return null;
}

/** A text that is equal for keys that look equal to a person. */
function keyLikeness(key: MatchKey): string {
  return keyText(key.map(likeness));
}

function describeMissing(missing: Rest['missing']): string {
  if (missing.length === 0) return 'records (none would go now)';
  return `${counted(missing.length, 'record')} (${describeFirst(missing)})`;
}

/** The IDs and short keys of the first records, and the number of the others. */
function describeFirst(records: Rest['missing']): string {
  const first = records.slice(0, MAX_RECORDS_NAMED).map(({ id, key }) => `${id} ${describeValues(key)}`);
  if (records.length > MAX_RECORDS_NAMED) first.push(`and ${records.length - MAX_RECORDS_NAMED} more`);
  return first.join('; ');
}

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
    const { items = [] } = this.checkpoint.progress ?? {};
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
  const count = (outcome: string): number =>
    works.filter(({ outputs: [own] }) => own?.json.outcome === outcome).length;
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
