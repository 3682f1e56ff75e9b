import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { textIn } from '../util/json';
import type { Guard } from '../ledger/line';
import { LANES, STATES, type Lane } from '../world/application';
import { lanesOf, type Desk, type Order } from './desk';
import { newFiles } from './files';
import { fromItem, mapped } from './saved';

const POLICIES = ['fail', 'skip', 'merge'] as const;

/** Sets each sent lane to the item's token; the state comes from the item. */
function values(lanes: readonly Lane[], more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...Object.fromEntries(lanes.map((lane) => [lane, fromItem('token')])), ...more };
}

/** Record > Create, sometimes with rows and files. */
export async function create(desk: Desk): Promise<void> {
  const { random } = desk;
  const [lanes, withRows, withFiles] = [random.some(LANES, 2), random.chance(0.3), random.chance(0.2)];
  const orders = Array.from({ length: random.integer(1, 6) }, (): Order => {
    const token = desk.token();
    const rows = withRows ? [`${token}.0`, `${token}.1`] : [];
    const { binary, files } = newFiles(random, token, withFiles ? random.integer(1, 2) : 0);
    const json = {
      token,
      state: random.pick(STATES),
      rows: rows.map((Item) => ({ Item })),
      files: Object.keys(binary).join(','),
    };
    return { token, record: null, key: token, lanes, rows, files, input: { json, binary } };
  });
  const parts = mapped(
    values(lanes, {
      Key: fromItem('token'),
      State: fromItem('state'),
      ...(withRows && { Rows: fromItem('rows') }),
      ...(withFiles && { Files: fromItem('files') }),
    }),
  );
  await desk.write('create', { resource: 'record', operation: 'create', parts }, orders);
}

/** Record > Update of whatever is there now: the last one wins. */
export async function overwrite(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const lanes = random.some(LANES, random.integer(1, 3));
  const withRows = random.chance(0.2);
  const orders = pool.some(random, random.integer(1, 5)).map((record): Order => {
    const token = desk.token();
    const rows = withRows ? [`${token}.0`] : [];
    const json = { record, token, state: random.pick(STATES), rows: rows.map((Item) => ({ Item })) };
    return { token, record, lanes, rows, input: { json } };
  });
  const parts = mapped(
    values(lanes, { State: fromItem('state'), ...(withRows && { Rows: fromItem('rows') }) }),
  );
  const parameters = { recordId: fromItem('record'), parts, options: options(desk) };
  await desk.write('update', { resource: 'record', operation: 'update', ...parameters }, orders);
}

/** Record > Get, then, sooner or later, Record > Update guarded by what was read. */
export async function guarded(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const policy = random.pick(POLICIES);
  const lanes = random.some(LANES, 1);
  const ids = pool.some(random, random.integer(1, 4));
  const read = await desk.read(
    { resource: 'record', operation: 'get', recordId: fromItem('record') },
    ids.map((record) => ({ json: { record } })),
  );
  await new Promise((resolve) => setTimeout(resolve, random.chance(0.5) ? random.integer(0, 800) : 0));
  const orders = read.map(({ json }): Order => {
    const token = desk.token();
    const guard: Guard = { policy, revision: Number(json.revision), lanes: lanesOf(json) };
    return { token, record: textIn(json, 'id'), lanes, guard, input: { json: { ...json, token } } };
  });
  await desk.write(
    'update',
    {
      resource: 'record',
      operation: 'update',
      recordId: fromItem('id'),
      parts: mapped(values(lanes)),
      conflictPolicy: policy,
      revision: fromItem('revision'),
      options: options(desk),
    },
    orders,
  );
}

/** Record > Create or Update, by keys that only this writer uses. */
export async function upsert(desk: Desk): Promise<void> {
  const { random } = desk;
  const lanes = random.some(LANES, random.integer(1, 2));
  const orders = Array.from({ length: random.integer(1, 6) }, (): Order => {
    const token = desk.token();
    const key = `${desk.name}-key-${random.integer(1, 40)}`;
    return { token, record: null, key, lanes, input: { json: { token, key, state: random.pick(STATES) } } };
  });
  const parts = mapped(values(lanes, { Key: fromItem('key'), State: fromItem('state') }), ['Key']);
  await desk.write(
    'upsert',
    {
      resource: 'record',
      operation: 'upsert',
      parts,
      conflictPolicy: random.pick(['overwrite', 'fail', 'merge']),
    },
    orders,
  );
}

/** Record > Delete, with one id or several for each item; some no longer exist. */
export async function remove(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const count = pool.isFull ? random.integer(10, 40) : random.integer(1, 4);
  const ids = pool.oldest(random, count);
  const gone = random.chance(0.3) ? ['1'] : [];
  const several = random.chance(0.5);
  const groups = several ? [[...ids, ...gone]] : [...ids, ...gone].map((id) => [id]);
  const orders = groups
    .filter(({ length }) => length > 0)
    .map((deleted): Order => {
      const input: INodeExecutionData = { json: { ids: deleted.join(',') } };
      return { token: desk.token(), record: null, deleted, input };
    });
  const parameters = { resource: 'record', operation: 'delete', recordId: fromItem('ids') };
  await desk.write('delete', parameters, orders);
}

function options({ random }: Desk): INodeParameters {
  return {
    ...(random.chance(0.3) && { skipUnchanged: true }),
  };
}
