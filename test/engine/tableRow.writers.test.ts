import { LINES, rowOf } from './support/rows';
import { useWorkplace } from './support/workplace';

const WRITERS = 50;

const place = useWorkplace({ parts: [LINES], records: [{ Lines: [{ Item: 'first', Qty: '1' }] }] });

// With lost answers: test/soak, and test/unit/service/write/histories.test.ts.
test('fifty executions add a row each to one record at once: every row exists, none twice', async () => {
  const numbers = Array.from({ length: WRITERS }, (_, number) => number);
  const add = async (number: number) =>
    (await place.run('add', rowOf({ Item: `writer ${number}`, Qty: number }))).json;
  const results = await Promise.all(numbers.map(add));
  expect(results).toEqual(numbers.map(() => [{ recordId: '1', outcome: 'created' }]));
  const [first, ...added] = (await place.storedAt())?.values.Lines as { Item: string; Qty: string }[];
  expect(first).toMatchObject({ Item: 'first', Qty: '1' });
  const written = added.map(({ Item, Qty }) => `${Item}: ${Qty}`).sort();
  expect(written).toEqual(numbers.map((number) => `writer ${number}: ${number}`).sort());
  // In one process they take turns, so none is refused.
  expect((await place.calls('update_data')).filter(({ outcome }) => outcome === 'ok')).toHaveLength(WRITERS);
}, 90_000);
