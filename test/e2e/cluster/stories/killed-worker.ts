import type { Member } from '../../support/cluster';
import { eventually, PATIENCE } from '../../support/patience';
import { START } from '../../support/workflow';
import type { ClusterPlace } from '../support/place';
import { eachOnce, slowDown, untilInTheMiddle, writerOf, written } from './writing';

const RECORDS = 200;

/** n8n needs the lost run's lock to expire, two checks for lost runs, and half a minute more. */
const GIVEN_UP_WITHIN = 3 * PATIENCE;

/** Kills both workers in the middle of a run each, and starts one of them again. So this has to be the last story. */
export function killedWorker(here: () => ClusterPlace): void {
  describe('Workers that are killed in the middle of their writes', () => {
    let creating: string;
    let upserting: { readonly workflow: string; readonly run: string };
    let stillDown: Member;
    let back: Member;

    beforeAll(async () => {
      const { cluster, credential, sandbox, save } = here();
      await slowDown(sandbox);
      const workflow = await save(writerOf('Again', RECORDS, 'upsert', credential));
      upserting = { workflow, run: await cluster.rest.start(workflow, START) };
      // Create or Update first makes sure of what is not there, which it cannot while others add records without end.
      await eventually(
        async () => await written(sandbox, 'Again'),
        ({ length }) => expect(length).toBeGreaterThan(0),
      );
      creating = await cluster.rest.start(await save(writerOf('Once', RECORDS, 'create', credential)), START);
      await Promise.all(['Once', 'Again'].map((name) => untilInTheMiddle(sandbox, name, RECORDS)));
      [stillDown, back] = [creating, upserting.run].flatMap((run) => cluster.workersOf(run)) as [
        Member,
        Member,
      ];
      await cluster.kill(stillDown, back);
      await cluster.start(back);
    });

    afterAll(async () => {
      await here().sandbox.clearFaults();
    });

    it('leave a run of Create or Update that can be started again: each record exists once', async () => {
      const { cluster, sandbox } = here();
      // The restarted worker reports "crashed"; the main reports "error" once it has heard from the queue.
      expect(['crashed', 'error']).toContain((await cluster.rest.reached(upserting.run)).status);
      const before = (await written(sandbox, 'Again')).length;

      const again = await cluster.rest.run(upserting.workflow, START);

      expect(again.error).toBeUndefined();
      const created = again.items('Write').filter(({ outcome }) => outcome === 'created');
      expect(created).toHaveLength(RECORDS - before);
      expect(await written(sandbox, 'Again')).toEqual(eachOnce('Again', RECORDS));
      expect(cluster.workersOf(upserting.run)).toEqual([back]);
    });

    it('leave a run that n8n gives up: no worker resumes it, and no record exists twice', async () => {
      const { cluster, sandbox } = here();
      const before = await written(sandbox, 'Once');

      const givenUp = await cluster.rest.reached(creating, undefined, GIVEN_UP_WITHIN);

      expect(givenUp.status).toBe('error');
      expect(givenUp.error?.message).toContain('failed to be processed too many times');
      expect(cluster.workersOf(creating)).toEqual([stillDown]);
      expect(await written(sandbox, 'Once')).toEqual(before);
      expect(new Set(before).size).toBe(before.length);
      expect(before.length).toBeLessThan(RECORDS);
    });
  });
}
