import { time } from '../support/measure';
import { runOurs, withSetup } from '../support/setup';
import type { Case } from '../support/table';

const COUNT = 1000;
const RECORDS = 100_000;

/** 1,000 items into a large application, half of them new, counted in requests. */
export const upsert: Case = {
  name: 'upsert',
  run: async () =>
    await withSetup({ records: RECORDS }, async ({ engine, sandbox }) => {
      const numbers = Array.from({ length: COUNT / 2 }, (_, index) => 1 + index * 150);
      const known = numbers.map((number) => ({
        number: `N-${String(number).padStart(8, '0')}`,
        title: 'changed',
      }));
      const fresh = numbers.map((number) => ({ number: `fresh ${number}`, title: 'new' }));
      const parameters = {
        resource: 'record',
        operation: 'upsert',
        application: { __rl: true, mode: 'identifier', value: 'large' },
        parts: {
          mappingMode: 'defineBelow',
          value: { Number: '={{ $json.number }}', Title: '={{ $json.title }}' },
          matchingColumns: ['Number'],
          schema: [],
        },
        conflictPolicy: 'overwrite',
        options: {},
      };
      await sandbox.clearStatistics();
      const input = [...known, ...fresh].map((json) => ({ json }));
      let outcomes: unknown[] = [];
      const ms = await time(async () => {
        outcomes = (await runOurs(engine, parameters, input)).json.map(({ outcome }) => outcome);
      });
      const { calls, callsByAction } = await sandbox.statistics();
      const created = outcomes.filter((outcome) => outcome === 'created').length;
      return [
        {
          name: `create or update ${COUNT} into ${RECORDS} records`,
          ours: `${calls} requests (${callsByAction.list_data ?? 0} pages), ${created} created, ${ms.toFixed(0)} ms`,
          ratios: {},
          goal: 'at most 1030 requests, 500 created',
          met: calls <= 1030 && created === COUNT / 2,
        },
      ];
    }),
};
