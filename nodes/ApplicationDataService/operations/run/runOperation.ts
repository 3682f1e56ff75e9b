import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inOneText, toNodeError } from '../../common/errors';
import { NameGivenError } from '../../parts/model/errors';
import { isObject } from '../../parts/values/shapes';
import { CALLS_AT_ONCE, ServiceSession } from '../../service/application/session';
import { connect } from '../../service/http/connect';
import { concurrently, type Flow, pause, settle, type Settled } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { asUserError } from '../../util/userError';
import { Availability } from './availability';
import { Hints } from './hints';
import { Item, Parameters } from './item';
import { isAgentRun, WriteMemory } from './memory';
import { outputOf, type Ran } from './outcomes';
import type { Operation, Outcome } from './types';

/**
 * The one loop over the input items, whatever the operation: paired items, Continue On Fail, order of output, calls at
 * once and cancellation. What stops it before the first item is each item's failure: of a node that throws, n8n passes
 * the input on as if it had succeeded.
 * @param choose finds the operation.
 * @throws NodeApiError or NodeOperationError, unless the node continues on failure; what `prepare` throws, in any case.
 */
export async function runOperation(
  context: IExecuteFunctions,
  choose: (context: IExecuteFunctions) => Operation,
): Promise<INodeExecutionData[]> {
  const byAgent = isAgentRun(context);
  const about = { context, byAgent, memory: new WriteMemory(context, byAgent), hints: new Hints() };
  let operation: Operation | undefined;
  let items: Item[] = [];
  let ran: Ran;
  try {
    operation = choose(context);
    const session = new ServiceSession(await connect(context));
    const run = { ...about, session, parameters: new Parameters(context) };
    items = context
      .getInputData()
      .map(({ json, binary = {} }, index) => new Item(run, index, json, withoutBlanks(binary)));
    ran = await runItems(operation, items, {
      limit: CALLS_AT_ONCE,
      stopOnError: !context.continueOnFail(),
      signal: context.getExecutionCancelSignal(),
    });
  } catch (error) {
    if (!context.continueOnFail()) throw toNodeError(context.getNode(), byAgent ? inOneText(error) : error);
    ran = { outcomes: context.getInputData().map(() => ({ error })), rest: [], isRefused: false };
  }
  return await outputOf(about, items, ran, operation?.writes === true);
}

/** A Code node may return the name of a file without one. */
function withoutBlanks(binary: IBinaryKeyData): IBinaryKeyData {
  if (Object.values<unknown>(binary).every(isObject)) return binary;
  return Object.fromEntries(Object.entries(binary).filter(([, file]) => isObject(file)));
}

interface Ready {
  readonly item: Item;
  readonly work: unknown;
}

/**
 * Reads and checks all items, then runs their works: those of one serial key in the order of the input, several keys at
 * once. Where a failure ends the run, none runs unless all items passed.
 */
async function runItems(operation: Operation, items: readonly Item[], flow: Flow): Promise<Ran> {
  const course = new Course(items.length, flow);
  const { outcomes } = course;
  const passed: Ready[] = [];
  for (const item of items) {
    await pause();
    if (course.isOver) break;
    const read = await course.read(item, async () => await readItem(operation, item));
    if ('error' in read) course.end(item, read);
    else passed.push({ item, work: read.value });
  }
  const ended: Ran = { outcomes, rest: [], isRefused: false };
  const ready = await course.begin(passed);
  const [first, ...others] = ready;
  if (first === undefined || course.isOver) return ended;
  const works = worksOf([first, ...others]);
  const unread = items.filter(({ index }) => outcomes[index] !== undefined);
  const prepared = await settle(async () => (await operation.prepare?.(works, unread)) ?? []);
  if ('error' in prepared) return { ...ended, outcomes: items.map(() => prepared), isRefused: true };
  ready.forEach(({ item }, at) => course.end(item, prepared.value[at]));
  const open = ready.filter(({ item }) => outcomes[item.index] === undefined);
  const series = seriesOf(operation, open).map((groups) => async () => {
    for (const group of groups) await course.run(group, async () => await operation.runGroup(worksOf(group)));
  });
  await concurrently(series, flow);
  if (course.isOver) return ended;
  const rest = await settle(async () => await operation.finalize?.(works, course.failed));
  return { ...ended, rest: 'error' in rest ? [rest] : (rest.value ?? []) };
}

/** Reads an item: its work. Once more, if it names people, with their IDs. */
async function readItem(operation: Operation, item: Item): Promise<unknown> {
  const options = item.options(operation.options);
  if (options.dryRun === true) item.run.hints.once('Dry run: nothing was written');
  const read = async (): Promise<unknown> => await operation.read(item, options);
  return await read().catch(async (error: unknown) => {
    const refusal = asUserError(error);
    if (!(refusal instanceof NameGivenError)) throw refusal;
    await item.learnPeople(refusal);
    return await read();
  });
}

/** Groups that run one after the other; several such series run at once. */
function seriesOf(operation: Operation, ready: readonly Ready[]): NonEmpty<Ready>[][] {
  if (operation.serialKeyOf === undefined) return ready.map((each) => [[each]]);
  const series = groupBy(ready, ({ work }) => operation.serialKeyOf!(work));
  if (operation.groupOf === undefined) return series.map((works) => works.map((each) => [each]));
  const nameOf = ({ work }: Ready): string => operation.groupOf!(work);
  // What an earlier try has begun comes first: between its items, one may be ready that was not ready then.
  const isBegun = ({ item }: Ready): boolean => item.run.memory.isBegun(item.index);
  return series.map((works) => {
    const begun = groupBy(works.filter(isBegun), nameOf).flat();
    let [neighbours, last] = [0, ''];
    // Only neighbours, so that the order of all stays.
    return groupBy([...begun, ...works.filter((each) => !isBegun(each))], (each) => {
      if (nameOf(each) !== last) neighbours += 1;
      last = nameOf(each);
      return String(neighbours);
    });
  });
}

function worksOf([first, ...others]: NonEmpty<Ready>): NonEmpty<unknown> {
  return [first.work, ...others.map(({ work }) => work)];
}

/** What became of the items so far, and whether the run goes on. */
class Course {
  readonly outcomes: Outcome[];
  failed = 0;
  private readonly availability = new Availability();

  constructor(
    count: number,
    private readonly flow: Flow,
  ) {
    this.outcomes = Array.from({ length: count }, () => undefined);
  }

  get isOver(): boolean {
    return (this.flow.stopOnError && this.failed > 0) || this.flow.signal?.aborted === true;
  }

  /** Reads what an item asks for, unless the service is not there. */
  async read(item: Item, task: () => Promise<unknown>): Promise<Settled<unknown>> {
    const refusal = await this.availability.refusalFor(item);
    return refusal === null ? await settle(task) : { error: refusal };
  }

  /** Those that may be begun: the others end here. */
  async begin(ready: readonly Ready[]): Promise<readonly Ready[]> {
    for (const { item } of ready) {
      const refusal = await this.availability.refusalFor(item);
      if (refusal !== null) this.end(item, { error: refusal });
    }
    return ready.filter(({ item }) => this.outcomes[item.index] === undefined);
  }

  /** Does what some items need, unless the run is over, or the service is not there. */
  async run([first, ...others]: NonEmpty<Ready>, task: () => Promise<readonly Outcome[]>): Promise<void> {
    await pause();
    if (this.isOver) return;
    const refusal = await this.availability.refusalFor(first.item);
    if (this.isOver) return;
    const ran = refusal === null ? await settle(task) : { error: refusal };
    [first, ...others].forEach(({ item }, at) => this.end(item, 'error' in ran ? ran : ran.value[at]));
  }

  end(item: Item, outcome: Outcome): void {
    if (outcome === undefined) return;
    this.outcomes[item.index] = outcome;
    if ('value' in outcome) return;
    this.failed += 1;
    this.availability.note(item, outcome.error);
  }
}
