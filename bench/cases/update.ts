import { runLoop } from '../support/peer';
import { best, inTurn, milliseconds, ratio } from '../support/measure';
import { byId, goods, runOurs, withSetup } from '../support/setup';
import type { Case } from '../support/table';

const COUNT = 1000;

/** Changes 1,000 records under their revision. */
export const update: Case = {
  name: 'update',
  run: async () =>
    await withSetup({}, async ({ engine, sandbox, url }) => {
      const app = await goods(sandbox, COUNT);
      await sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 20 }]);
      let revision = 0;
      const parameters = {
        resource: 'record',
        operation: 'update',
        application: byId(app.id),
        recordId: '={{ $json.id }}',
        parts: {
          mappingMode: 'defineBelow',
          value: { Name: '={{ $json.name }}' },
          matchingColumns: [],
          schema: [],
        },
        conflictPolicy: 'fail',
        revision: '={{ $json.revision }}',
        options: {},
      };
      const next = (): { id: string; name: string; revision: number }[] => {
        revision++;
        return app.records.map((id) => ({ id, name: `${id} at ${revision}`, revision }));
      };
      const ours = async () =>
        await runOurs(
          engine,
          parameters,
          next().map((json) => ({ json })),
        );
      const peer = async () => {
        const forms = next().map(({ id, name, revision: current }) => ({
          action: 'update_data',
          app_id: app.id,
          data_id: id,
          '{{revision}}': String(current),
          '{{Name}}': name,
        }));
        await runLoop(engine, url, forms);
      };
      const times = await inTurn({ ours }, 3);
      // One request at a time takes half a minute, which evens out other work of the machine.
      const peers = await inTurn({ peer }, 1);
      const speed = ratio(peers.peer, times.ours);
      return [
        {
          name: `update ${COUNT} with policy fail, 20 ms latency`,
          ours: milliseconds(times.ours),
          peer: milliseconds(peers.peer),
          ratios: { 'peer/ours': speed },
          goal: 'peer/ours >= 3.5',
          met: speed >= 3.5,
          figures: { unit: 'ms', ours: best(times.ours), peer: best(peers.peer) },
        },
      ];
    }),
};
