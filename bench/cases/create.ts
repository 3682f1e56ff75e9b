import { fastestBatching, runHelper, runLoop } from '../support/peer';
import { best, inTurn, milliseconds, ratio } from '../support/measure';
import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const COUNT = 1000;
const RUNS = 3;
/** Of half a second each; the first ones compile the code. */
const UNDELAYED_RUNS = 12;

const values = Array.from({ length: COUNT }, (_, index) => ({
  Code: `N${index}`,
  Name: `New ${index}`,
  Price: String(index),
}));

/**
 * Adds 1,000 records, with and without the delay of a network. The helper is n8n's own, which every node has to use. It
 * opens a connection for each request, while the limit keeps its own.
 */
export const create: Case = {
  name: 'create',
  run: async () => await withSetup({}, async (setup) => [await delayed(setup), await undelayed(setup)]),
};

async function tasks(setup: Setup) {
  const { engine, sandbox, direct, url } = setup;
  const app = await goods(sandbox, 1);
  const forms = values.map(({ Code, Name, Price }) => ({
    action: 'insert_data',
    app_id: app.id,
    '{{Code}}': Code,
    '{{Name}}': Name,
    '{{Price}}': Price,
  }));
  const parameters = {
    resource: 'record',
    operation: 'create',
    application: byId(app.id),
    parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
    options: {},
  };
  const items = values.map((json) => ({ json }));
  return {
    ours: async () => await runOurs(engine, parameters, items),
    peer: async () => await runLoop(engine, url, forms),
    batched: async () => await fastestBatching(engine, url, forms),
    helper: async () => await runHelper(engine, url, forms),
    limit: async () => await direct.callAll(forms),
  };
}

async function delayed(setup: Setup): Promise<Row> {
  await setup.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 20 }]);
  const { ours, peer, batched, helper, limit } = await tasks(setup);
  const times = await inTurn({ ours, helper, limit }, RUNS);
  // One request at a time takes over half a minute, which evens out other work of the machine.
  const peers = await inTurn({ peer }, 1);
  const batching = await batched();
  await setup.sandbox.clearFaults();
  const speed = ratio(peers.peer, times.ours);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `create ${COUNT}, 20 ms latency`,
    ours: milliseconds(times.ours),
    peer: `${milliseconds(peers.peer)} (batched every ${batching.interval} ms: ${batching.ms.toFixed(0)} ms; helper alone ${milliseconds(times.helper)})`,
    limit: milliseconds(times.limit),
    ratios: {
      'peer/ours': speed,
      'ours/limit': toLimit,
      'helper/limit': ratio(times.helper, times.limit),
      'ours/helper': ratio(times.ours, times.helper),
    },
    goal: 'peer/ours >= 3.5, ours/limit <= 1.2',
    met: speed >= 3.5 && toLimit <= 1.2,
    figures: { unit: 'ms', ours: best(times.ours), peer: best(peers.peer), limit: best(times.limit) },
  };
}

async function undelayed(setup: Setup): Promise<Row> {
  const { ours, helper } = await tasks(setup);
  const times = await inTurn({ ours, helper }, UNDELAYED_RUNS);
  const toHelper = ratio(times.ours, times.helper);
  return {
    name: `create ${COUNT}, no latency`,
    ours: milliseconds(times.ours),
    peer: `helper alone ${milliseconds(times.helper)}`,
    ratios: { 'ours/helper': toHelper },
    goal: 'ours/helper <= 1.08',
    met: toHelper <= 1.08,
  };
}
