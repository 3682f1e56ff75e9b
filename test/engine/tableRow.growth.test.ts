import type { Fault } from '../support/sandbox';
import { LINES, rowOf, withFiles } from './support/rows';
import { RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '1' }] }],
});

const ITEMS = Array.from({ length: 200 }, (_, index) =>
  withFiles(
    { data: { name: `plan ${index}.txt`, text: 'plan' }, more: { name: `more ${index}.txt`, text: 'more' } },
    { n: `row ${index}` },
  ),
);

const refused = { kind: 'ng', errorno: -1, message: 'no' } as const;

test.each<[string, Fault[], string]>([
  [
    'one failing verification',
    [{ ...refused, action: 'get_data', skip: 1 }],
    'its attachments could not be verified',
  ],
  [
    'all of them in doubt',
    [
      { kind: 'drop', when: 'after', action: 'update_data', times: 1 },
      { ...refused, action: 'get_data', skip: 1 },
    ],
    'outcome unknown',
  ],
])('what a retry must know of 200 rows with files stays small: %s', async (_, faults, expected) => {
  await place.sandbox.setFaults(faults);
  const { error, run } = await place.run('add', rowOf({ Item: '={{ $json.n }}', Plan: 'data, more' }), {
    input: ITEMS,
    node: RETRY,
  });
  expect(error?.message).toContain(expected);
  const size = JSON.stringify(run.data.executionData?.contextData).length;
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThan(10_000);
});
