import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { Engine } from '../../test/support/engine';
import { Sandbox, type CreatedApplication } from '../../test/support/sandbox';
import { TriggerEngine } from '../../test/support/triggerEngine';
import { WebhookEngine } from '../../test/support/webhookEngine';
import { DirectClient } from '../support/direct';
import { best, time } from '../support/measure';
import { byId, goods, runOurs } from '../support/setup';
import type { Case, Row } from '../support/table';
import { together } from '../support/together';

/** How long the service works on a call. It works on one at a time. */
const WORK_MS = 20;

/** The calls that one process makes at once. */
const IN_FLIGHT = 5;

/** The number of calls that measure the limit. */
const SAMPLE = 150;

/**
 * Executions that use the service at the same time, in one process of n8n and in several, with the service's one queue.
 */
export const parallel: Case = {
  name: 'parallel',
  run: async () => [
    await writing({
      processes: 1,
      executions: 10,
      records: 50,
      runs: 2,
      refused: 0,
      ratio: 1.3,
    }),
    await writing({
      processes: 2,
      executions: 5,
      records: 50,
      runs: 2,
      refused: 0,
      ratio: 1.3,
    }),
    await writing({
      processes: 4,
      executions: 1,
      records: 500,
      runs: 1,
      refused: 40,
      ratio: 1.6,
    }),
    await beside(),
    await office(),
  ],
};

interface Crowd {
  readonly processes: number;
  /** For each process. */
  readonly executions: number;
  /** For each execution. */
  readonly records: number;
  /** How many runs to measure; the best one counts. */
  readonly runs: number;
  /** The most calls that may be answered with 429 in a run. */
  readonly refused: number;
  /** The most time it may take, as a multiple of the limit. */
  readonly ratio: number;
}

/**
 * Runs `use` with a service, an application, and the limit: the milliseconds for each of `SAMPLE` calls that are never
 * refused.
 */
async function withService<T>(
  use: (sandbox: Sandbox, app: CreatedApplication, limit: number) => Promise<T>,
): Promise<T> {
  const sandbox = await Sandbox.start();
  const direct = new DirectClient(sandbox.baseUrl, sandbox.accessKey);
  try {
    const app = await goods(sandbox, 1);
    await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: WORK_MS, action: 'insert_data' }]);
    const calls = Array.from({ length: SAMPLE }, (_, n) => ({
      action: 'insert_data',
      app_id: app.id,
      '{{Code}}': `direct-${n}`,
    }));
    const times = [
      await time(async () => await direct.callAll(calls)),
      await time(async () => await direct.callAll(calls)),
    ];
    await sandbox.clearLog();
    return await use(sandbox, app, best(times) / SAMPLE);
  } finally {
    await direct.close();
    await sandbox.stop();
  }
}

async function writing(crowd: Crowd): Promise<Row> {
  const { processes, executions, records, runs } = crowd;
  return await withService(async (sandbox, app, callMs) => {
    const items = processes * executions * records;
    const times: number[] = [];
    let [failed, refused] = [0, 0];
    const before = (await sandbox.records(app.id)).length;
    for (let run = 0; run < runs; run++) {
      await sandbox.clearLog();
      const { baseUrl, accessKey, controlUrl } = sandbox;
      const what = {
        sandbox: { baseUrl, accessKey, controlUrl },
        app: app.id,
        executions,
        records,
      };
      const done = await together(
        Array.from({ length: processes }, (_, n) => ({ ...what, name: `${run}-${n}` })),
      );
      times.push(done.ms);
      failed += done.failed;
      refused = Math.max(
        refused,
        (await sandbox.log()).filter(({ httpStatus }) => httpStatus === 429).length,
      );
    }
    const codes = (await sandbox.records(app.id)).slice(before).map(({ values }) => values.Code);
    const noneTwice = new Set(codes).size === codes.length && codes.length + failed === items * runs;
    const limit = items * callMs;
    const toLimit = best(times) / limit;
    return {
      name: `${processes} × ${executions} executions create ${records} records each`,
      ours: `${seconds(best(times))}, ${refused} calls refused, ${failed} items failed of ${runs} × ${items}`,
      limit: seconds(limit),
      ratios: { 'ours/limit': toLimit },
      figures: { unit: 'ms', ours: best(times), limit },
      goal: `none failed, refused <= ${crowd.refused}, ours/limit <= ${crowd.ratio}`,
      met: noneTwice && failed === 0 && refused <= crowd.refused && toLimit <= crowd.ratio,
    };
  });
}

/** Times small executions during an execution of 10,000 items. */
async function beside(): Promise<Row> {
  return await withService(async (sandbox, app) => {
    const { baseUrl, accessKey } = sandbox;
    const engine = new Engine({ baseUrl, accessKey });
    const trigger = new TriggerEngine(
      { baseUrl, accessKey },
      { application: byId(app.id), events: ['deleted'] },
    );
    const { searchApplications } = new ApplicationDataService().methods.listSearch;
    const create = { resource: 'record', operation: 'create', application: byId(app.id), options: {} };
    const parts = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
    const node = { onError: 'continueRegularOutput' } as const;
    const write = async (codes: readonly string[], cancel?: Promise<void>): Promise<unknown> =>
      await engine.run(
        { ...create, parts },
        { input: codes.map((Code) => ({ json: { Code } })), cancel, node },
      );
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const many = write(
      Array.from({ length: 10_000 }, (_, n) => `many-${n}`),
      stopped,
    );
    while ((await sandbox.log()).length < 20) await sandbox.statistics();
    const item = await time(async () => await write(['single']));
    const list = await time(async () => await searchApplications.call(engine.editor({})));
    const poll = await time(async () => await trigger.activate());
    stop();
    await many;
    const most = Math.max(item, list, poll);
    return {
      name: 'Beside an execution with 10,000 items',
      ours: `single item ${item.toFixed(0)} ms, list of the editor ${list.toFixed(0)} ms, poll ${poll.toFixed(0)} ms`,
      ratios: {},
      goal: 'each within 1000 ms',
      met: most <= 1000,
    };
  });
}

/** What one caller of the service does, several at the same time. */
interface Callers {
  readonly name: string;
  readonly count: number;
  readonly run: (index: number) => Promise<unknown>;
}

const NOTIFICATIONS = 300;

/**
 * Executions of one item, polls, an export and notifications, all at once in one process. All notifications of a node
 * are one caller.
 */
async function office(): Promise<Row> {
  const sandbox = await Sandbox.start();
  try {
    const kinds = await officeCallers(sandbox);
    await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: WORK_MS }]);
    const alone: number[] = [];
    const calls: number[] = [];
    for (const kind of kinds) {
      await sandbox.clearStatistics();
      alone.push(await slowestOf(kind));
      calls.push((await sandbox.statistics()).calls);
    }
    await sandbox.clearLog();
    const together = await Promise.all(kinds.map(slowestOf));
    const refused = (await sandbox.log()).filter(({ httpStatus }) => httpStatus === 429).length;
    const callers = kinds.reduce((sum, { count }) => sum + (count === NOTIFICATIONS ? 1 : count), 0);
    // A caller in a crowd waits for the calls in flight, and for a turn of everyone before each of its own.
    const turnsOf = (index: number): number => {
      const turns = (calls[index]! / kinds[index]!.count) * callers + IN_FLIGHT;
      return Math.max(3 * alone[index]!, turns * WORK_MS + alone[index]!);
    };
    return {
      name: `A busy office: ${kinds.map(({ name, count }) => `${count} ${name}`).join(', ')}`,
      ours: kinds
        .map(
          ({ name }, index) =>
            `${name} ${together[index]!.toFixed(0)} ms (alone ${alone[index]!.toFixed(0)})`,
        )
        .concat(`${refused} calls refused`)
        .join(', '),
      ratios: {},
      goal: 'none failed, none refused, each within three times its time alone, or that time and a turn of everyone for each call',
      met: refused === 0 && together.every((ms, index) => ms <= turnsOf(index)),
    };
  } finally {
    await sandbox.stop();
  }
}

/** Milliseconds until all of a kind are done. @throws what one of them throws. */
async function slowestOf({ count, run }: Callers): Promise<number> {
  return await time(
    async () => await Promise.all(Array.from({ length: count }, async (_, index) => await run(index))),
  );
}

async function officeCallers(sandbox: Sandbox): Promise<readonly Callers[]> {
  const app = await goods(sandbox, NOTIFICATIONS);
  const { baseUrl, accessKey } = sandbox;
  const credential = { baseUrl, accessKey, webhookToken: 'secret' };
  const engine = new Engine(credential);
  const application = byId(app.id);
  const watched = { application, events: ['created', 'updated'] };
  const triggers = [new TriggerEngine(credential, watched), new TriggerEngine(credential, watched)];
  for (const trigger of triggers) {
    await trigger.activate();
    await trigger.poll();
  }
  const webhook = new WebhookEngine(credential, { ...watched, options: {} });
  const parts = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
  const create = { resource: 'record', operation: 'create', application, parts, options: {} };
  const file = { format: 'csv', binaryPropertyName: 'data', options: {} };
  const exportAll = { resource: 'record', operation: 'export', application, ...file };
  return [
    {
      name: 'executions of one item',
      count: 20,
      run: async (index) => await runOurs(engine, create, [{ json: { Code: `office-${index}` } }]),
    },
    { name: 'polls', count: triggers.length, run: async (index) => await triggers[index]!.poll() },
    { name: 'export', count: 1, run: async () => await runOurs(engine, exportAll, [{ json: {} }]) },
    {
      name: 'notifications',
      count: NOTIFICATIONS,
      run: async (index) => {
        const about = { app_id: app.id, data_id: app.records[index], type: 'updated' };
        const { items } = await webhook.receive({ ...about, access_token: credential.webhookToken });
        if (items === null || 'readError' in items[0]!.json) throw new Error('A notification was not read');
      },
    },
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
