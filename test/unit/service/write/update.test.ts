import type { WriteValue } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import type { CurrentRecord } from '../../../../nodes/ApplicationDataService/service/read/records';
import type { Checkpoint, Done } from '../../../../nodes/ApplicationDataService/service/write/checkpoint';
import { planUpdate, type Update } from '../../../../nodes/ApplicationDataService/service/write/update';
import { writeRecord } from '../../../../nodes/ApplicationDataService/service/write/writeRecord';
import { makePart, TOKYO } from '../../parts/support/parts';
import { FakeService, type Reply, val } from '../support/fakeService';

const name = makePart('textbox', { id: '101', name: 'Name' });
const price = makePart('number', { id: '102', name: 'Price' });
const item = makePart('textbox', { name: 'Item' });
const lines = makePart('input_list', { id: '103', name: 'Lines', children: [item] });

const text = (value: string): WriteValue => ({ kind: 'text', text: value });

function updateOf(changes: Partial<Update> = {}): Update {
  return {
    id: '12',
    values: [{ part: name, value: text('mine') }],
    policy: 'overwrite',
    revision: null,
    known: {},
    rowMode: 'merge',
    emptied: [],
    skipUnchanged: false,
    parts: [name, price, lines],
    options: { autoAction: true, relookupKeyParts: [] },
    context: TOKYO,
    uploadSource: async () => await Promise.reject(new Error('There is no file')),
    ...changes,
  };
}

const NO_FILES = new Map();

const current = (values: Record<string, unknown>, revision = 5): CurrentRecord => ({
  id: '12',
  revision,
  record: { id: '12', revision, ...values },
});

describe('what a round sends', () => {
  test('an overwrite needs no record and checks no revision', () => {
    expect(planUpdate(updateOf(), null, NO_FILES)).toMatchObject({ outcome: 'updated', revision: 0 });
  });

  test('a guarded one uses the revision of the item', () => {
    expect(planUpdate(updateOf({ policy: 'fail', revision: 3 }), null, NO_FILES).revision).toBe(3);
  });

  test('merged rows use the revision that they were read with, whatever the policy', () => {
    const value: WriteValue = { kind: 'rows', rows: [{ values: [{ part: item, value: text('b') }] }] };
    const record = current({ Lines: [{ id: '1', Item: 'a' }] });
    const plan = planUpdate(updateOf({ values: [{ part: lines, value }] }), record, NO_FILES);
    expect(plan.revision).toBe(5);
    expect(plan.values[0]?.value).toMatchObject({ rows: [{ id: '1' }, {}] });
    expect(() => planUpdate(updateOf({ values: [{ part: lines, value }] }), current({}), NO_FILES)).toThrow(
      /The rows of .* cannot be changed: the record does not show them/,
    );
  });

  test('only the differences on request, and lookup keys with them', () => {
    const values = [
      { part: name, value: text('mine') },
      { part: price, value: text('7.0') },
    ];
    const skipping = { values, skipUnchanged: true };
    const sent = (update: Partial<Update>, record: CurrentRecord) =>
      planUpdate(updateOf(update), record, NO_FILES).values.map(({ part }) => part.name);
    expect(sent(skipping, current({ Name: 'old', Price: 7 }))).toEqual(['Name']);
    expect(sent(skipping, current({ Name: 'mine', Price: 7 }))).toEqual([]);
    expect(sent(skipping, current({ Name: 'mine' }))).toEqual(['Price']);
    const options = { autoAction: true, relookupKeyParts: [price.id] };
    expect(sent({ ...skipping, options }, current({ Name: 'old', Price: 7 }))).toEqual(['Name', 'Price']);
    expect(sent({ ...skipping, options }, current({ Name: 'mine', Price: 7 }))).toEqual([]);
  });
});

/** A service with one record, whose updates are answered as in the list, then successfully. */
function serviceOf(values: Record<string, string>, replies: ('done, lost' | 'lost' | 'refused' | 'late')[]) {
  const stored = { revision: 3, ...values } as Record<string, string | number>;
  let late: (() => void) | null = null;
  const fake = new FakeService([name, price, lines], (call): Reply => {
    if (call.action === 'get_data') {
      const { revision, ...parts } = stored;
      const record = Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, val(value)]));
      return { record: { ...record, revision: { val: String(revision), deny_write: 'on' } } };
    }
    late?.();
    late = null;
    const reply = replies.shift();
    const checked = call['{{revision}}'] ?? '0';
    const apply = (): void => {
      stored.revision = Number(stored.revision) + 1;
      if (call['{{Name}}'] !== undefined) stored.Name = call['{{Name}}'];
    };
    if (reply === 'late') late = apply;
    if (reply === 'lost' || reply === 'late') return 'lost';
    if (reply === 'refused' || (checked !== '0' && checked !== String(stored.revision))) return 'refused';
    apply();
    return reply === 'done, lost' ? 'lost' : { ID: '12' };
  });
  return { fake, stored };
}

/** A checkpoint that records its calls. */
function checkpointOf(indeterminate: Checkpoint['indeterminate'] = null) {
  const recordProgress: Done[] = [];
  const failures: unknown[] = [];
  const checkpoint: Checkpoint = {
    done: null,
    indeterminate,
    recordProgress: (done) => recordProgress.push(done),
    failed: (error) => failures.push(error),
  };
  return { checkpoint, recordProgress, failures };
}

const updateRecord = async (
  { app }: FakeService,
  update: Update,
  { checkpoint } = checkpointOf(),
): Promise<Done> => await writeRecord(app, update, checkpoint);

const guarded = { policy: 'fail', revision: 3, known: { Name: 'old' } } as const;

const DONE = { id: '12', outcome: 'updated' };

describe('a lost answer', () => {
  test('of an update that was done late, under a later round of its own', async () => {
    const { fake, stored } = serviceOf({ Name: 'old' }, ['late']);
    expect(await updateRecord(fake, updateOf(guarded))).toEqual(DONE);
    expect([stored.revision, fake.of('update_data').length]).toEqual([4, 2]);
  });

  test('is no conflict, although the revision changed', async () => {
    const { fake } = serviceOf({ Name: 'old' }, ['done, lost']);
    expect(await updateRecord(fake, updateOf(guarded))).toEqual(DONE);
    expect(fake.of('update_data')).toHaveLength(1);
  });

  test('is a conflict if one other write came instead, and left the values as they were', async () => {
    const { fake, stored } = serviceOf({ Name: 'old' }, ['lost']);
    const update = updateRecord(fake, updateOf(guarded));
    stored.revision = 4;
    await expect(update).rejects.toThrow(/changed in the meantime: the item has revision 3, the service 4/);
    expect(fake.of('update_data')).toHaveLength(1);
  });

  test.each([
    ['the values are others, as a service that tidies them would leave them', guarded, 'mine.'],
    ['it is not known what they were', { ...guarded, known: {} }, 'old'],
  ])('stays unknown if %s', async (_, changes, left) => {
    const { fake, stored } = serviceOf({ Name: 'old' }, ['lost']);
    const update = updateRecord(fake, updateOf(changes));
    Object.assign(stored, { revision: 4, Name: left });
    await expect(update).rejects.toMatchObject({ kind: 'outcomeUnknown' });
    expect(fake.of('update_data')).toHaveLength(1);
  });

  test('stays unknown if several other writes may hide it', async () => {
    const { fake, stored } = serviceOf({ Name: 'old' }, ['lost']);
    const update = updateRecord(fake, updateOf(guarded));
    stored.revision = 5;
    await expect(update).rejects.toMatchObject({ kind: 'outcomeUnknown' });
    expect(fake.of('update_data')).toHaveLength(1);
  });

  test('is tried only a few times', async () => {
    const { fake } = serviceOf({ Name: 'old' }, Array<'lost'>(50).fill('lost'));
    await expect(updateRecord(fake, updateOf(guarded))).rejects.toMatchObject({ kind: 'outcomeUnknown' });
    expect(fake.of('update_data')).toHaveLength(4);
  });
});

test('a refusal under an unchanged revision is no conflict', async () => {
  const { fake } = serviceOf({ Name: 'old' }, ['refused']);
  await expect(updateRecord(fake, updateOf(guarded))).rejects.toThrow('The service refused: no');
  expect(fake.of('update_data')).toHaveLength(1);
});

describe('an update in doubt since an earlier try', () => {
  const doubtUnder = (revision: number) =>
    new ServiceError('outcomeUnknown', 'not known', '', { sent: { revision } });

  test.each<[string, Record<string, string>, number, Partial<Update>, string, number]>([
    // Its own work cannot be told from that of others.
    ['perhaps done', { Name: 'mine' }, 4, guarded, 'not known', 0],
    ['done, overwriting', { Name: 'mine' }, 4, {}, 'updated', 0],
    ['not done, so it is done now', { Name: 'old' }, 3, guarded, 'updated', 1],
    ['changed by one other write', { Name: 'theirs' }, 4, guarded, 'not known', 0],
    ['changed by several', { Name: 'theirs' }, 5, guarded, 'not known', 0],
    ['with other values, overwriting: it is done now', { Name: 'old' }, 3, {}, 'updated', 1],
  ])('%s', async (_, values, revision, changes, expected, requests) => {
    const { fake, stored } = serviceOf(values, []);
    stored.revision = revision;
    const indeterminate = doubtUnder(changes.revision ?? 0);
    const settled = await updateRecord(fake, updateOf(changes), checkpointOf(indeterminate)).then(
      ({ outcome }) => outcome,
      (error: unknown) => (error as Error).message,
    );
    expect(settled).toContain(expected);
    expect(fake.of('update_data')).toHaveLength(requests);
  });

  test('without what was sent, nothing is read or sent', async () => {
    const indeterminate = new ServiceError('outcomeUnknown', 'not known', '');
    const { fake } = serviceOf({ Name: 'old' }, []);
    await expect(updateRecord(fake, updateOf(), checkpointOf(indeterminate))).rejects.toBe(indeterminate);
    expect(fake.calls).toEqual([]);
  });
});

describe('the checkpoint', () => {
  test('records what was done as soon as the service has done it', async () => {
    const { fake } = serviceOf({ Name: 'old' }, []);
    const { checkpoint, recordProgress, failures } = checkpointOf();
    await updateRecord(fake, updateOf(), { checkpoint, recordProgress, failures });
    expect([recordProgress, failures]).toEqual([[DONE], []]);
  });

  test('records a failure, and nothing done', async () => {
    const { fake } = serviceOf({ Name: 'old' }, ['refused']);
    const { checkpoint, recordProgress, failures } = checkpointOf();
    await expect(updateRecord(fake, updateOf(), { checkpoint, recordProgress, failures })).rejects.toThrow(
      'refused',
    );
    expect([recordProgress, failures]).toEqual([[], [expect.objectContaining({ kind: 'refused' })]]);
  });

  test('nothing is sent for what an earlier try has done', async () => {
    const { fake } = serviceOf({ Name: 'old' }, []);
    const { checkpoint, recordProgress, failures } = checkpointOf();
    const done: Done = { id: '12', outcome: 'updated' };
    const known = { checkpoint: { ...checkpoint, done }, recordProgress, failures };
    expect(await updateRecord(fake, updateOf(), known)).toEqual(done);
    expect(fake.calls).toEqual([]);
  });
});
