import type { Desk } from './desk';

/** Record > Get Many in its variants: filtered, sorted, all. */
export async function list(desk: Desk): Promise<void> {
  const { random } = desk;
  await desk.read({
    resource: 'record',
    operation: 'getAll',
    returnAll: random.chance(0.3),
    limit: random.integer(5, 60),
    ...(random.chance(0.5) && {
      filters: { condition: [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }] },
    }),
    ...(random.chance(0.3) && { sort: { by: { part: 'Key', order: 'desc' } } }),
  });
}

/** Record > Count and Record > Export. */
export async function countAndExport(desk: Desk): Promise<void> {
  await desk.read({ resource: 'record', operation: 'count' });
  await desk.read({ resource: 'record', operation: 'export', format: desk.random.pick(['csv', 'ndjson']) });
}
