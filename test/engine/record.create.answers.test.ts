import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

const added = async () => (await place.stored()).slice(2);

describe('a service that fails', () => {
  test("shows the service's words, the part and the number", async () => {
    await place.open({
      parts: [
        { name: 'Title', type: 'textbox', required: true },
        { name: 'B', type: 'textbox' },
      ],
      records: [],
    });
    const { error } = await place.create({ values: { B: 'x' } });
    expect(error?.message).toMatch(/^The service refused: The part "Title" .*\d+/);
    expect(error?.description).toBe('Check the value of "Title".');
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  const lost = [
    ['the connection broke before the work', { kind: 'drop', when: 'before' }, 0],
    ['the connection broke after the work', { kind: 'drop', when: 'after' }, 1],
    ['the answer was cut', { kind: 'cut' }, 1],
    ['the answer broke off', { kind: 'cut', how: 'abort' }, 1],
    ['a gateway gave up', { kind: 'status', status: 502 }, 0],
    ['a gateway asked to wait', { kind: 'status', status: 503, retryAfter: 0 }, 0],
    ['a page came in its place', { kind: 'html', when: 'after' }, 1],
    ['the service went down', { kind: 'down', ms: 50, when: 'after' }, 1],
  ] as const;

  test.each(lost)('%s: never sent twice, and the item is named', async (_, fault, count) => {
    await place.sandbox.setFaults([{ ...fault, action: 'insert_data', times: 1, skip: 1 }]);
    const input = itemsOf({ n: 'a' }, { n: 'b' });
    const { error } = await place.create({ values: { Name: '={{ $json.n }}' } }, { input });
    expect(error?.message).toMatch(/outcome unknown/);
    expect(error?.description).toMatch(/Check in the application/);
    expect(error?.context?.itemIndex).toBe(1);
    expect(await place.calls('insert_data')).toHaveLength(2);
    expect(await added()).toHaveLength(1 + count);
  });

  test('tries again after a refused connection, because nothing can have arrived', async () => {
    await place.create({ values: { Name: 'a' } });
    await place.sandbox.setFaults([{ kind: 'down', ms: 700, action: 'get_app', when: 'before', times: 1 }]);
    const { json } = await place.create({ values: { Name: 'b' } });
    expect(json).toHaveLength(1);
    expect(await added()).toHaveLength(2);
  });
});

describe.each([
  { ids: 'number', counts: 'number' },
  { failureStatus: '400' },
  { failureStatus: '500', emptyList: 'error' },
  { singleItem: 'object', emptyInner: 'noValue', emptyList: 'noList' },
  { insertKey: 'id', dates: 'object', numbers: 'separators' },
  { insertKey: 'data_id', numbers: 'number', permissionsKey: 'two', listRevision: 'never' },
])('with another dialect: %o', (dialect) => {
  test('the outcome is the same', async () => {
    await place.sandbox.setDialect(dialect);
    const { json } = await place.create({
      values: { Name: 'Cap', Price: 1234.5, Due: '2026-03-01', Owner: '1002', Lines: [{ Item: 'a' }] },
      options: { returnRecord: true },
    });
    expect(json).toEqual([
      expect.objectContaining({
        id: '3',
        revision: 1,
        outcome: 'created',
        Name: 'Cap',
        Price: 1234.5,
        Due: '2026-03-01',
        Owner: [expect.objectContaining({ id: '1002' })],
        Lines: [expect.objectContaining({ Item: 'a' })],
      }),
    ]);
    const refused = await place.create({ values: { Owner: '9999' } });
    const message =
      dialect.failureStatus === '500'
        ? /outcome unknown.*HTTP 500/
        : /^The service refused: The part "Owner"/;
    expect(refused.error?.message).toMatch(message);
    expect(`${refused.error?.message} ${refused.error?.description}`).toContain('The part "Owner"');
  });
});
