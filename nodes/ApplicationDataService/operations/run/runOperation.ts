import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settings, Values } from '../../common/setting';
import { NameGivenError } from '../../parts/model/errors';
import { CALLS_AT_ONCE, ServiceSession } from '../../service/application/session';
import { connect } from '../../service/http/connect';
import { isTooSlow, ServiceError } from '../../service/http/errors';
import { attempt, concurrently, type Flow, settle } from '../../util/concurrently';
import { groupBy, groupNeighbours, type NonEmpty } from '../../util/groupBy';
import { pause } from '../../util/pause';
import { Hints } from './hints';
import { Item, Parameters } from './item';
import { isAgentRun, WriteMemory } from './memory';
import { isFailure, type Ran, outputFailureOfRun, outputOf } from './outcomes';
import type { GroupOperation, Operation, Outcome, OutputItem } from './types';

/**
 * The one loop over the input items, whatever the operation: paired items, Continue On Fail, order of output, calls at
 * once and cancellation.
 * @param choose finds the operation.
 */
export async function runOperation(
  context: IExecuteFunctions,
  choose: (context: IExecuteFunctions) => Operation,
): Promise<INodeExecutionData[]> {
  const byAgent = isAgentRun(context);
  const about = { context, byAgent, memory: new WriteMemory(context, byAgent), hints: new Hints() };
  const operation = attempt(() => choose(context));
  if ('error' in operation) return await outputFailureOfRun(about, operation, false);
  const isWrite = !('execute' in operation.value);
  const client = await settle(async () => await connect(context));
  if ('error' in client) return await outputFailureOfRun(about, client, isWrite);
  const session = new ServiceSession(client.value);
  const run = { ...about, session, parameters: new Parameters(context) };
  const items = context
    .getInputData()
    .map(({ json, binary = {} }, index) => new Item(run, index, json, binary));
  const flow: Flow = {
    limit: CALLS_AT_ONCE,
    stopOnError: !context.continueOnFail(),
    signal: context.getExecutionCancelSignal(),
  };
  const ran = await runItems(operation.value, items, flow);
  return await outputOf(about, items, ran, isWrite);
}

/** What became of the items so far, and whether the run goes on. */
class Course {
  readonly outcomes: Outcome[];
  failed = 0;
  done = 0;

  /** What the service failed with after it was waited for in vain: it is waited for once a run. */
  private down: Outcome;

  /** Connections that were lost while nothing was done: a single one may be due to its record. */
  private readonly lost = new Set<ServiceError>();

  constructor(
    items: readonly Item[],
    readonly flow: Flow,
  ) {
    this.outcomes = items.map(() => undefined);
  }

  get isOver(): boolean {
    return (this.flow.stopOnError && this.failed > 0) || this.flow.signal?.aborted === true;
  }

  /** @param doneBefore what was done when the item was begun: if more is done now, the service is not down. */
  end(index: number, outcome: Outcome, doneBefore = this.done): void {
    this.outcomes[index] = outcome;
    if (outcome === undefined) return;
    if (!isFailure(outcome)) {
      this.done += 1;
      this.lost.clear();
      return;
    }
    this.failed += 1;
    const down = this.done === doneBefore ? downtimeIn(outcome.error) : null;
    if (down?.kind === 'lost') this.lost.add(down);
    if (down !== null && (down.kind !== 'lost' || this.lost.size >= CALLS_AT_ONCE))
      this.down = { error: down.with({ recordId: undefined, ids: undefined }) };
  }

  /** Begins with items, unless the run is over or the service is down. */
  async begins(indexes: readonly number[]): Promise<boolean> {
    await pause();
    if (this.isOver) return false;
    for (const index of this.down === undefined ? [] : indexes) this.end(index, this.down);
    return this.down === undefined;
  }
}

/** The item's failure, or that of a look at it, after which the next call would only wait as long again. */
function downtimeIn(error: unknown): ServiceError | null {
  if (!(error instanceof ServiceError)) return null;
  const failure = error.details.unread ?? error;
  return ['unreachable', 'busy', 'lost'].includes(failure.kind) && !isTooSlow(failure) ? failure : null;
}

async function runItems(operation: Operation, items: readonly Item[], flow: Flow): Promise<Ran> {
  const course = new Course(items, flow);
  if (!('execute' in operation)) return await runWrites(operation, items, course);
  const reads = items.map((item) => async () => {
    if (!(await course.begins([item.index]))) return;
    const { done } = course;
    const read = async (): Promise<OutputItem[]> =>
      await operation.execute(item, item.options(operation.options));
    course.end(item.index, await settle(read), done);
  });
  await concurrently(reads, flow);
  return { outcomes: course.outcomes, rest: [], isRefused: false };
}

interface Ready {
  readonly index: number;
  readonly work: unknown;
}

/**
 * Reads and checks all items, then writes what they ask for: works of one serial key in the order of the input, several
 * keys at once. Where a failure ends the run, nothing is written unless all items passed.
 */
async function runWrites(operation: GroupOperation, items: readonly Item[], course: Course): Promise<Ran> {
  const { outcomes, flow } = course;
  const ended = { outcomes, rest: [], isRefused: false };
  const all = await readAll(operation, items, course);
  if (course.isOver) return ended;
  const refusal = await prepareAll(operation, all, items, course);
  if (refusal !== null) return { ...ended, outcomes: items.map(() => refusal), isRefused: true };
  if (course.isOver) return ended;
  const open = all.filter(({ index }) => outcomes[index] === undefined);
  const series = seriesOf(operation, open, items).map((groups) => async () => {
    for (const group of groups) await runGroup(operation, group, course);
  });
  await concurrently(series, flow);
  const [first, ...others] = all;
  if (first === undefined || course.isOver) return ended;
  const rest = await settle(
    async () => await operation.finalize?.(worksOf([first, ...others]), course.failed),
  );
  return { ...ended, rest: 'error' in rest ? [rest] : (rest.value ?? []) };
}

async function readAll(operation: GroupOperation, items: readonly Item[], course: Course): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const item of items) {
    const { index } = item;
    if (!(await course.begins([index]))) continue;
    try {
      ready.push({ index, work: await operation.read(item, optionsOf(operation, item)) });
    } catch (error) {
      const again = await settle(async () => await readWithPeople(operation, item, error));
      if ('value' in again) ready.push({ index, work: again.value });
      else course.end(index, again);
    }
  }
  return ready;
}

function optionsOf(operation: GroupOperation, item: Item): Values<Settings> {
  const options = item.options(operation.options);
  if (options.dryRun === true) item.run.hints.once('Dry run: nothing was written');
  return options;
}

/** Reads an item again, if it gives the name of a person instead of an ID. @throws the error if that is not why. */
async function readWithPeople(operation: GroupOperation, item: Item, error: unknown): Promise<unknown> {
  if (!(error instanceof NameGivenError)) throw error;
  const options = optionsOf(operation, item);
  if (options.peopleByName !== true) throw error;
  await item.learnPeople();
  return await operation.read(item, options);
}

/** @returns why none of the works may run; `null` if they may, but for those that have an outcome now. */
async function prepareAll(
  { prepare }: GroupOperation,
  ready: readonly Ready[],
  items: readonly Item[],
  course: Course,
): Promise<{ readonly error: unknown } | null> {
  if (prepare === undefined) return null;
  const unread = items.filter(({ index }) => course.outcomes[index] !== undefined);
  for (const group of groupBy(ready, ({ work }) => prepare.keyOf?.(work) ?? '')) {
    if (!(await course.begins(group.map(({ index }) => index)))) continue;
    const found = await settle(async () => await prepare.find(worksOf(group), unread));
    // What is wrong with single items is not why the run ends.
    if ('error' in found && prepare.endsRun === true) return found;
    for (const [each, { index }] of group.entries())
      course.end(index, 'error' in found ? found : found.value[each]);
  }
  return null;
}

/** Groups that run one after the other; several such series run at once. */
function seriesOf(
  operation: GroupOperation,
  ready: readonly Ready[],
  items: readonly Item[],
): NonEmpty<Ready>[][] {
  if (operation.serialKeyOf === undefined) return ready.map((each) => [[each]]);
  const series = groupBy(ready, ({ work }) => operation.serialKeyOf!(work));
  if (operation.groupOf === undefined) return series.map((works) => works.map((each) => [each]));
  const nameOf = ({ work }: Ready): string => operation.groupOf!(work);
  // What an earlier try has begun comes first: between its items, one may be ready that was not ready then.
  const isBegun = ({ index }: Ready): boolean => items[index]!.run.memory.isBegun(index);
  return series.map((works) => {
    const begun = groupBy(works.filter(isBegun), nameOf).flat();
    return groupNeighbours([...begun, ...works.filter((each) => !isBegun(each))], nameOf);
  });
}

async function runGroup(operation: GroupOperation, group: NonEmpty<Ready>, course: Course): Promise<void> {
  if (!(await course.begins(group.map(({ index }) => index)))) return;
  const { done } = course;
  const ran = await settle(async () => await operation.runGroup(worksOf(group)));
  for (const [each, { index }] of group.entries())
    course.end(index, 'error' in ran ? ran : ran.value[each], done);
}

function worksOf([first, ...others]: NonEmpty<Ready>): NonEmpty<unknown> {
  return [first.work, ...others.map(({ work }) => work)];
}
