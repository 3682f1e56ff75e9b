import { agentOf, fromModel, runAgent, WAYS } from './support/agent';
import { GOODS_PARTS, GOODS_RECORDS, RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace({ parts: GOODS_PARTS, records: GOODS_RECORDS });

const call = agentOf(place);

describe('how much a model reads', () => {
  test.each<[string, unknown, number]>([
    ['nothing', null, 50],
    ['an empty text', '', 50],
    ['a number as text', '7', 7],
  ])('the limit is %s', async (_, limit, count) => {
    await place.open({ parts: GOODS_PARTS, records: Array.from({ length: 60 }, () => ({ Name: 'x' })) });
    const [items] = await call('getAll', { limit: fromModel('limit', 'How many', 'number') }, { limit });
    expect(items).toHaveLength(count);
  });

  test('it is said that nothing was found', async () => {
    const answers = await call('getAll', { options: { keyword: fromModel('k', 'Text') } }, { k: 'zzz' });
    expect(answers).toEqual([[{ message: 'Nothing was found' }]]);
  });

  test('a filter without part and value has no effect; a filter with one of them is refused', async () => {
    const filters = { condition: [{ part: fromModel('part', 'Part'), value: fromModel('value', 'Value') }] };
    const answers = await call(
      'count',
      { filters },
      { part: '', value: null },
      { part: 'Name' },
      { value: 'x' },
    );
    expect(answers).toEqual([
      [{ count: 2 }],
      [{ error: expect.stringMatching(/no value to compare/) as string }],
      [{ error: expect.stringMatching(/No part is selected/) as string }],
    ]);
  });
});

describe('calls of one tool are independent', () => {
  test('the same call twice runs twice', async () => {
    const answers = await call(
      'create',
      { values: { Name: fromModel('Name', 'x') } },
      { Name: 'W' },
      { Name: 'W' },
    );
    expect(answers).toEqual([[{ id: '3', outcome: 'created' }], [{ id: '4', outcome: 'created' }]]);
  });

  test.each(WAYS)('a call after one in doubt is not mistaken for it, called by "%s"', async (way) => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'insert_data', times: 1 }]);
    const saved = place.parameters('create', { values: { Name: fromModel('Name', 'x') } });
    const { answers } = await runAgent(place.sandbox, way, saved, [{ Name: 'V' }, { Name: 'W' }]);
    expect(answers).toEqual([
      [{ error: expect.stringMatching(/outcome unknown/) as string }],
      [{ id: '4', outcome: 'created' }],
    ]);
    expect((await place.stored()).map(({ values }) => values.Name)).toEqual(['Bolt', 'Nut', 'V', 'W']);
  });
});

describe.each(WAYS)('a tool with Retry On Fail, called by "%s"', (way) => {
  const named = { values: { Name: fromModel('Name', 'x') } };
  const settings = { node: RETRY };

  test('a create in doubt is not made again by a further try, nor by the same call', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'insert_data', times: 1 }]);
    const saved = place.parameters('create', named);
    const { answers } = await runAgent(place.sandbox, way, saved, [{ Name: 'V' }, { Name: 'V' }], settings);
    const unknown = [{ error: expect.stringMatching(/outcome unknown/) as string }];
    expect(answers).toEqual([unknown, unknown]);
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('a create that was done before its try failed is given as done, once', async () => {
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'no', action: 'get_data', times: 1 }]);
    const saved = place.parameters('create', { ...named, options: { returnRecord: true } });
    const { answers } = await runAgent(place.sandbox, way, saved, [{ Name: 'V' }, { Name: 'V' }], settings);
    expect(answers).toMatchObject([[{ id: '3', Name: 'V' }], [{ id: '4', Name: 'V' }]]);
  });

  test('two calls at once each write to their own record', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'update_data', times: 1 },
      { kind: 'latency', where: 'network', ms: 20 },
    ]);
    const saved = place.parameters('add', {
      resource: 'tableRow',
      recordId: fromModel('id', 'Record'),
      tablePart: 'Lines',
      row: { mappingMode: 'defineBelow', value: { Item: 'a' }, matchingColumns: [], schema: [] },
    });
    const calls = [{ id: place.record() }, { id: place.record(1) }, { id: place.record(1) }];
    const options = { ...settings, atOnce: true };
    const { answers } = await runAgent(place.sandbox, way, saved, calls, options);
    expect(answers).toEqual(calls.map(({ id }) => [{ recordId: id, outcome: 'created' }]));
    const rows = (await place.stored()).map(({ values }) => (values.Lines as unknown[]).length);
    expect(rows).toEqual([1, 2]);
  });
});
