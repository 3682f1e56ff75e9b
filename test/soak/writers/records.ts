import { gone, rowAdded, valued } from '../ledger/traces';
import { LANES, STATES } from '../world/application';
import { fromItem, mapped, textIn, type Desk, type Order } from './desk';

/** Sets each sent lane to the item's token. */
function laneValues(lanes: readonly string[]): Record<string, string> {
  return Object.fromEntries(lanes.map((lane) => [lane, fromItem('token')]));
}

const laneTraces = (lanes: readonly string[], token: string) => lanes.map((lane) => valued(lane, token));

/** New rows of an item, as json and as traces. */
function newRows(token: string, count: number): { rows: { Item: string }[]; adds: string[] } {
  const items = Array.from({ length: count }, (_, index) => `${token}.${index}`);
  return { rows: items.map((Item) => ({ Item })), adds: items.map(rowAdded) };
}

/** Record > Create, sometimes with rows and files. */
export async function create(desk: Desk): Promise<void> {
  const { random } = desk;
  const [lanes, withRows, withFiles] = [random.some(LANES, 2), random.chance(0.3), random.chance(0.2)];
  const orders = Array.from({ length: random.integer(1, 6) }, (): Order => {
    const token = desk.token();
    const { rows, adds } = newRows(token, withRows ? 2 : 0);
    const { binary, fields, adds: files } = desk.files(token, withFiles ? random.integer(1, 2) : 0);
    return {
      adds: [valued('Key', token), ...laneTraces(lanes, token), ...adds, ...files],
      json: { token, state: random.pick(STATES), rows, files: fields },
      binary,
    };
  });
  const parts = mapped({
    ...laneValues(lanes),
    Key: fromItem('token'),
    State: fromItem('state'),
    ...(withRows && { Rows: fromItem('rows') }),
    ...(withFiles && { Files: fromItem('files') }),
  });
  await desk.write('record create', { parts }, orders);
}

/** Record > Update of whatever is there now: the last one wins. */
export async function overwrite(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const lanes = random.some(LANES, random.integer(1, 3));
  const withRows = random.chance(0.2);
  const orders = pool.some(random, random.integer(1, 5)).map((record): Order => {
    const token = desk.token();
    const { rows, adds } = newRows(token, withRows ? 1 : 0);
    const json = { record, token, state: random.pick(STATES), rows };
    return { record, adds: [...laneTraces(lanes, token), ...adds], json };
  });
  const values = { State: fromItem('state'), ...(withRows && { Rows: fromItem('rows') }) };
  const parts = mapped({ ...laneValues(lanes), ...values });
  const options = { skipUnchanged: random.chance(0.3) };
  await desk.write('record update', { recordId: fromItem('record'), parts, options }, orders);
}

/** Record > Get, then, sooner or later, Record > Update guarded by what was read. */
export async function guarded(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const policy = random.pick(['fail', 'skip', 'merge'] as const);
  const lane = random.pick(LANES);
  const records = pool.some(random, random.integer(1, 4)).map((record) => ({ record }));
  const read = await desk.read('record get', { recordId: fromItem('record') }, records);
  await new Promise((resolve) => setTimeout(resolve, random.chance(0.5) ? random.integer(0, 800) : 0));
  const orders = read.map(({ json }): Order => {
    const token = desk.token();
    const lanes = { [lane]: json[lane] ? textIn(json, lane) : '' };
    return {
      record: textIn(json, 'id'),
      adds: [valued(lane, token)],
      guard: { policy, revision: Number(json.revision), lanes },
      json: { ...json, token },
    };
  });
  const parameters = {
    recordId: fromItem('id'),
    parts: mapped(laneValues([lane])),
    conflictPolicy: policy,
    revision: fromItem('revision'),
    options: { skipUnchanged: random.chance(0.3) },
  };
  await desk.write('record update', parameters, orders);
}

/** Record > Create or Update, by keys that only this writer uses. */
export async function upsert(desk: Desk): Promise<void> {
  const { random } = desk;
  const lanes = random.some(LANES, random.integer(1, 2));
  const orders = Array.from({ length: random.integer(1, 6) }, (): Order => {
    const [token, key] = [desk.token(), desk.key()];
    const json = { token, key, state: random.pick(STATES) };
    return { adds: laneTraces(lanes, token), key: valued('Key', key), json };
  });
  const parts = mapped({ ...laneValues(lanes), Key: fromItem('key'), State: fromItem('state') }, ['Key']);
  const conflictPolicy = random.pick(['overwrite', 'fail', 'merge']);
  await desk.write('record upsert', { parts, conflictPolicy }, orders);
}

/** Record > Delete, with one id or several for each item; some no longer exist. */
export async function remove(desk: Desk): Promise<void> {
  const { random, pool } = desk;
  const ids = pool.oldest(random, pool.isFull ? random.integer(10, 40) : random.integer(1, 4));
  const all = [...ids, ...(random.chance(0.3) ? ['1'] : [])];
  const groups = random.chance(0.5) && all.length > 0 ? [all] : all.map((id) => [id]);
  const orders = groups.map((group): Order => ({
    removes: group.map((id) => gone('record', id)),
    json: { ids: group.join(',') },
  }));
  const outcomes = await desk.write('record delete', { recordId: fromItem('ids') }, orders);
  for (const [index, group] of groups.entries())
    if (outcomes[index] !== 'refused') for (const id of group) pool.remove(id);
}
