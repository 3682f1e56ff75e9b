import { time } from '../support/measure';
import { byId, goods, withSetup } from '../support/setup';
import type { Case, Row } from '../support/table';

/** Records of each execution. */
const COUNT = 50;
/** How long the service works on a call; it works on one at a time. */
const WORK_MS = 20;
/** Calls that may be under way without one being refused: ten that wait, and the one that is worked on. */
const QUEUE = 11;

/** Executions that write at the same time, as those of several workers do, against the service's one queue. */
export const parallel: Case = {
  name: 'parallel',
  run: async () => [await together(2, 4), await together(10, 1), await together(10, 4)],
};

async function together(executions: number, concurrency: number): Promise<Row> {
  return await withSetup({}, async ({ engine, sandbox }) => {
    const app = await goods(sandbox, 1);
    await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: WORK_MS, action: 'insert_data' }]);
    const parameters = {
      resource: 'record',
      operation: 'create',
      application: byId(app.id),
      parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
      options: { concurrency },
    };
    let failed = 0;
    const write = async (_: unknown, execution: number) => {
      const input = Array.from({ length: COUNT }, (_, n) => ({ json: { Code: `${execution}-${n}` } }));
      const { json } = await engine.run(parameters, { input, node: { onError: 'continueRegularOutput' } });
      failed += json.filter((item) => 'error' in item).length;
    };
    const ms = await time(async () => await Promise.all(Array.from({ length: executions }, write)));
    const refused = (await sandbox.log()).filter(({ httpStatus }) => httpStatus === 429).length;
    const codes = (await sandbox.records(app.id)).slice(1).map(({ values }) => values.Code);
    return judge({ executions, concurrency, ms, failed, refused, codes });
  });
}

interface Seen {
  readonly executions: number;
  readonly concurrency: number;
  readonly ms: number;
  /** Items that ended with an error. */
  readonly failed: number;
  /** Calls answered with 429. */
  readonly refused: number;
  /** Of the records that are there. */
  readonly codes: readonly unknown[];
}

function judge({ executions, concurrency, ms, failed, refused, codes }: Seen): Row {
  const items = executions * COUNT;
  const noneTwice = new Set(codes).size === codes.length && codes.length + failed === items;
  const fits = executions * concurrency <= QUEUE;
  return {
    name: `${executions} executions create ${COUNT} records each, ${concurrency} at a time`,
    ours: `${(ms / 1000).toFixed(1)} s, ${refused} calls refused, ${failed} of ${items} items failed`,
    limit: `${((items * WORK_MS) / 1000).toFixed(1)} s`,
    ratios: {},
    goal: fits ? 'none refused, none failed' : 'none twice, the others reported',
    met: noneTwice && (!fits || (refused === 0 && failed === 0)),
  };
}
