import { Limiters } from '../../nodes/ApplicationDataService/service/http/limiter';
import { FakePollClock } from '../../test/support/fakePollClock';
import type { SentCall, TriggerEngine } from '../../test/support/triggerEngine';
import { learnedTrigger } from '../support/learnedTrigger';
import { withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

/**
 * Ten million records: all triggers watch one application, which costs the service as much as fifty. The run has a tenth
 * of the records, and each costs ten times as much.
 */
const APPLICATIONS = 50;
const SCALE = 10;
const RECORDS_EACH = 200_000 / SCALE;
/** New records on a page, and a request that finds out that no more follow. */
const PAGES = Math.ceil(RECORDS_EACH / 4950);
/** The other workflows, each of which writes one item every five minutes. */
const WRITING = 150;
const EVERY_MINUTES = 5;
const CALLS_EACH = 3;
const WORKERS = 3;

/** What the service takes for a call, and for each record that a list may show, in milliseconds. */
const CALL_MS = 20;
const RECORD_MS = 0.05 * SCALE;
/** One call runs, ten wait; one more, and all are refused for a time. */
const PLACES = 11;
const REFUSING_MS = 10_000;
const MINUTE = 60_000;

/** How triggers poll, once a minute. */
interface Polling {
  readonly name: string;
  readonly minutes: number;
  readonly quick: boolean;
  /** Records that one more workflow adds meanwhile. */
  readonly added: number;
  /** Requests of all polls, as they are counted for one; `null` if the polls cannot end. */
  readonly paper: number | null;
  readonly goal: string;
  readonly met: (seen: Seen, isAsCounted: boolean) => boolean;
}

/** What the service and its users saw in a run. */
interface Seen {
  readonly calls: number;
  /** Calls a minute. */
  readonly rate: number;
  /** The part of the time in which the service worked. */
  readonly busy: number;
  readonly refused: number;
  /** Of the slowest execution of one item, in milliseconds. */
  readonly execution: number;
  /** Of the slowest poll, in milliseconds. */
  readonly poll: number;
}

const RUNS: readonly Polling[] = [
  {
    name: 'quick polls, a full scan each hour',
    ...{ minutes: 6, quick: true, added: 0, paper: 6 * APPLICATIONS * 1.2 + 6 * PAGES },
    goal: 'as counted to a tenth, busy <= 0.5, none refused',
    met: ({ busy, refused }, isAsCounted) => isAsCounted && busy <= 0.5 && refused === 0,
  },
  {
    name: 'quick polls beside an import of 3,000 records',
    ...{ minutes: 3, quick: true, added: 3000, paper: 3 * APPLICATIONS * 1.2 + PAGES },
    goal: 'as counted to a tenth, an execution within 10 s',
    met: ({ execution }, isAsCounted) => isAsCounted && execution <= 10_000,
  },
  {
    name: 'full polls',
    ...{ minutes: 1, quick: false, added: 0, paper: null },
    goal: 'more than a minute can hold: polls take longer than one',
    met: ({ poll }) => poll > MINUTE,
  },
];

/**
 * What fifty triggers and three workers cost a service with ten million records. The triggers are real, and wait on a
 * clock that jumps to whatever comes next; the workers use the nodes' own limiter.
 */
export const scale: Case = {
  name: 'scale',
  run: async () =>
    await withSetup({ records: RECORDS_EACH }, async (setup) => {
      const rows: Row[] = [];
      for (const polling of RUNS) rows.push(rowOf(polling, await simulate(setup, polling)));
      return rows;
    }),
};

function rowOf({ name, goal, met, minutes, added, paper }: Polling, seen: Seen): Row {
  const writes = added + (WRITING * minutes * CALLS_EACH) / EVERY_MINUTES;
  const toPaper = paper === null ? null : seen.calls / (paper + writes);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return {
    name: `${APPLICATIONS} triggers and ${WRITING} writing workflows, ${name}`,
    ours: `${seen.rate.toFixed(0)} requests a minute, ${seen.refused} refused, slowest poll ${seconds(seen.poll)}, slowest write of one item ${seconds(seen.execution)}`,
    ratios: { ...(toPaper !== null && { 'run/paper': toPaper }), busy: seen.busy },
    goal,
    met: met(seen, toPaper === null || Math.abs(toPaper - 1) <= 0.1),
  };
}

/** Several triggers wait on one clock, which only the simulation moves. */
class SharedClock extends FakePollClock {
  override async run<T>(work: () => Promise<T>): Promise<T> {
    return await work();
  }

  async drive<T>(work: () => Promise<T>): Promise<T> {
    return await super.run(work);
  }
}

/** The service's one queue. */
class OneQueue {
  calls = 0;
  refused = 0;
  worked = 0;
  private readonly refusals = new WeakSet<object>();
  private ends: number[] = [];
  private refusingUntil = 0;

  constructor(private readonly clock: FakePollClock) {}

  /** How long a call takes. */
  cost(call: object, workMs: number): number {
    const now = this.clock.now();
    this.ends = this.ends.filter((end) => end > now);
    if (now >= this.refusingUntil && this.ends.length >= PLACES) this.refusingUntil = now + REFUSING_MS;
    if (now < this.refusingUntil) {
      this.refused++;
      this.refusals.add(call);
      return 1;
    }
    this.calls++;
    this.worked += workMs;
    const end = Math.max(now, ...this.ends) + workMs;
    this.ends.push(end);
    return end - now;
  }

  isRefused(call: object): boolean {
    return this.refusals.has(call);
  }
}

async function simulate(setup: Setup, { minutes, quick, added }: Polling): Promise<Seen> {
  const clock = new SharedClock();
  const queue = new OneQueue(clock);
  const triggers = await triggersOf(setup, clock, quick);
  for (const trigger of triggers)
    trigger.between = {
      cost: (call) => queue.cost(call, workOf(call)),
      answer: (call) => (queue.isRefused(call) ? { statusCode: 429, body: {} } : undefined),
    };
  const begin = clock.now();
  const polls: number[] = [];
  const executions: number[] = [];
  const at = async (minute: number, work: () => Promise<unknown>, times: number[]): Promise<void> => {
    await clock.sleep(minute * MINUTE);
    const began = clock.now();
    await work();
    times.push(clock.now() - began);
  };
  const workers = Array.from({ length: WORKERS }, () => new Limiters(clock));
  const execute = async (worker: number, calls: number, turn = {}): Promise<void> => {
    for (let made = 0; made < calls; made++) await call(clock, queue, workers[worker % WORKERS]!, turn);
  };
  await clock.drive(async () => {
    const all: Promise<void>[] = [];
    for (let minute = 0; minute < minutes; minute++)
      for (const [index, trigger] of triggers.entries())
        all.push(at(minute + (index + 1) / 60, async () => await trigger.poll(), polls));
    for (let one = 0; one < (WRITING * minutes) / EVERY_MINUTES; one++)
      all.push(at((one * EVERY_MINUTES) / WRITING, async () => await execute(one, CALLS_EACH), executions));
    const importing = {};
    for (let lane = 0; lane < 4; lane++)
      all.push(at(0, async () => await execute(0, added / 4, importing), []));
    await Promise.all(all);
  });
  const passed = clock.now() - begin;
  return {
    calls: queue.calls,
    rate: queue.calls / (passed / MINUTE),
    busy: queue.worked / passed,
    refused: queue.refused,
    execution: Math.max(...executions),
    poll: Math.max(...polls),
  };
}

/** Triggers that know all records; of fifty that scan once an hour, five do in six minutes. */
async function triggersOf(setup: Setup, clock: SharedClock, quick: boolean): Promise<TriggerEngine[]> {
  const updatedPart = Object.keys(await setup.sandbox.partIds('large')).find((name) =>
    /updated at/i.test(name),
  )!;
  const optionsOf = (index: number) =>
    quick ? { updatedPart, fullScanEvery: index < 5 ? 3 + index : 60 } : {};
  const first = await learnedTrigger(setup, optionsOf(60), { clock });
  const triggers: TriggerEngine[] = [];
  for (let index = 0; index < APPLICATIONS; index++) {
    const trigger = first.successor();
    trigger.parameters = { ...trigger.parameters, options: optionsOf(index) };
    await clock.drive(async () => await trigger.activate());
    triggers.push(trigger);
  }
  return triggers;
}

function workOf({ action, form }: SentCall): number {
  const records = action === 'list_data' && !form.has('filter') ? Number(form.get('limit') ?? 0) : 0;
  return CALL_MS + RECORD_MS * records;
}

/** One call of a worker, which waits for its turn as the nodes do. */
async function call(clock: FakePollClock, queue: OneQueue, limiters: Limiters, turn: object): Promise<void> {
  for (const planned = { turn, urgent: false }; ;) {
    const permit = await limiters.enter('service', planned);
    const made = {};
    await clock.sleep(queue.cost(made, CALL_MS));
    if (!queue.isRefused(made)) permit.accepted();
    else permit.refused(undefined);
    permit.end();
    if (!queue.isRefused(made)) return;
  }
}
