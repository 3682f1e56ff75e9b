import type { EngineOptions } from '../support/engine';
import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { RETRY, useWorkplace } from './support/workplace';

/** A service that alters files while it stores them, as one that re-encodes pictures: each exists once. */
const place = useWorkplace({ parts: ORDER_PARTS, records: [ORDER] });
const { docs, names, lines, writes } = storedOrders(place);

beforeEach(async () => {
  await place.sandbox.setDialect({ storedFiles: 'altered' });
});

const TWO = [withFiles({ data: { name: 'x.png', text: 'x' }, more: { name: 'x.png', text: 'yy' } })];
const ALTERED = ['x.png (1 byte sent, 15 kept)', 'x.png (2 bytes sent, 16 kept)'];
const UPLOAD = {
  resource: 'attachment',
  recordId: '1',
  attachmentPart: 'Docs',
  binaryPropertyName: 'data, more',
};
const upload = async (more: object = {}, options: EngineOptions = {}) =>
  await place.run('upload', { ...UPLOAD, ...more }, { input: TWO, ...options });

test.each([
  ['in the record', {}, async () => (await names()).slice(2)],
  [
    'in a row',
    { attachmentPart: 'Lines.Plan', rowId: '1' },
    async () => (await lines())[0]?.Plan.map(({ name }) => name),
  ],
])('has an upload once, %s, and the output says what the service changed', async (_, more, stored) => {
  const { json, error, hints } = await upload(more);
  expect(error).toBeUndefined();
  expect(json).toEqual([{ recordId: '1', outcome: 'updated', files: ['x.png', 'x.png'], altered: ALTERED }]);
  expect(hints.map(({ message }) => message)).toEqual(
    ALTERED.map((file) => `The service changed a file while it stored it: ${file}`),
  );
  expect(await stored()).toEqual(['x.png', 'x.png']);
  expect(await writes()).toEqual(['update_data']);
});

test.each([
  ['Create', 'create', { values: { Docs: 'data, more' } }, 'insert_data', () => docs(1)],
  ['Update', 'update', { recordId: '1', values: { Docs: 'data, more' } }, 'update_data', () => docs()],
  [
    'Create or Update',
    'upsert',
    { values: { Name: 'New', Docs: 'data, more' }, matchBy: ['Name'] },
    'insert_data',
    () => docs(1),
  ],
  [
    'Table Row > Add',
    'add',
    rowOf({ Plan: 'data, more' }),
    'update_data',
    async () => (await lines())[1]?.Plan ?? [],
  ],
] as const)(
  '%s sends nothing twice, and a hint says what changed',
  async (_, operation, settings, action, stored) => {
    const { error, hints } = await place.run(operation, settings, { input: TWO });
    expect(error).toBeUndefined();
    expect(hints.map(({ message }) => message)).toEqual(
      ALTERED.map((file) => `The service changed a file while it stored it: ${file}`),
    );
    expect((await stored()).filter(({ name }) => name === 'x.png').map(({ size }) => size)).toEqual([15, 16]);
    expect(await writes()).toEqual([action]);
  },
);

test('an upload without an answer stays in doubt, and is not sent again by another try', async () => {
  await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'update_data', times: 1 }]);
  const { error } = await upload({}, { node: RETRY });
  expect(error?.message).toMatch(/outcome unknown/);
  expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png', 'x.png']);
  expect(await writes()).toEqual(['update_data']);
});

const UNCLEAR =
  /^The record [12] was written, but it is not known whether the file "x.png" was added to "Docs" \(ID 103\)/;

test('a file of a new record whose answer was lost stays in doubt, too', async () => {
  await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'insert_data', times: 1 }]);
  const settings = { values: { Name: 'New', Docs: 'data' }, matchBy: ['Name'] };
  const { error } = await place.upsert(settings, { input: TWO, node: RETRY });
  expect(error?.message).toMatch(UNCLEAR);
  expect(await names(1)).toEqual(['x.png']);
  expect(await writes()).toEqual(['insert_data']);
});

test('one of several files, sent alone without an answer, stays in doubt', async () => {
  await place.sandbox.setDialect({ severalFiles: 'first' });
  await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'update_data', skip: 1, times: 1 }]);
  const input = [withFiles({ data: { name: 'w.png', text: 'w' }, more: { name: 'x.png', text: 'x' } })];
  const { error } = await upload({}, { input });
  expect(error?.message).toMatch(UNCLEAR);
  expect(await names()).toEqual(['a.txt', 'b.txt', 'w.png', 'x.png']);
  expect(await writes()).toEqual(['update_data', 'update_data']);
});

test('of two files of one name, it does not guess which one it keeps', async () => {
  await place.sandbox.setDialect({ severalFiles: 'first' });
  const { error } = await upload();
  expect(error?.message).toMatch(UNCLEAR);
  expect(await writes()).toEqual(['update_data']);
});
