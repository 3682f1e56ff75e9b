import { concurrently, settle, type Flow } from '../../util/concurrently';
import { groupBy, groupNeighbours, type NonEmpty } from '../../util/groupBy';
import type { Item } from './item';
import type { GroupOperation, Outcome, WriteOperation } from './types';

/** An item that was read, and its place in the input. */
interface Ready {
  readonly index: number;
  readonly work: unknown;
}

/**
 * Reads and checks all items, then writes what they ask for: works of one turn in the order of the input, several turns at
 * once. Where a failure ends the run, nothing is written unless all items passed, and nothing more is begun after it.
 */
export async function runWrites(
  operation: WriteOperation | GroupOperation,
  items: readonly Item[],
  flow: Flow,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = items.map(() => undefined);
  const hasFailed = (): boolean => outcomes.some((outcome) => outcome !== undefined && 'error' in outcome);
  const isOver = (): boolean => (flow.stopOnError && hasFailed()) || flow.signal?.aborted === true;

  let ready = await readAll(operation, items, outcomes, flow);
  if (isOver()) return outcomes;
  const { ahead } = operation;
  if (ahead !== undefined) {
    for (const group of groupBy(ready, ({ work }) => ahead.keyOf(work))) {
      const found = await settle(async () => await ahead.find(worksOf(group)));
      const failures = 'error' in found ? group.map(() => found.error) : found.value;
      group.forEach(({ index }, each) => {
        if (failures[each] !== null) outcomes[index] = { error: failures[each] };
      });
      if (isOver()) return outcomes;
    }
    ready = ready.filter(({ index }) => outcomes[index] === undefined);
  }
  // Whether the run is over is looked up for each turn: with many items that must not cost a look at all of them.
  let over = false;
  const turns = groupBy(ready, ({ work }) => operation.turnOf(work)).map((turn) => async () => {
    for (const group of groupsOf(operation, turn)) {
      if (over || flow.signal?.aborted === true) return;
      const results = await runGroup(operation, group);
      group.forEach(({ index }, position) => (outcomes[index] = results[position]));
      over ||= flow.stopOnError && results.some((result) => result !== undefined && 'error' in result);
    }
  });
  await concurrently(turns, flow);
  return outcomes;
}

/** Reads the items one by one, and notes which cannot be read. */
async function readAll(
  operation: WriteOperation | GroupOperation,
  items: readonly Item[],
  outcomes: Outcome[],
  flow: Flow,
): Promise<Ready[]> {
  const read = await concurrently(
    items.map((item) => async () => {
      const options = item.options(operation.options);
      if (options.dryRun === true) item.run.hints.once('Dry run: nothing was written');
      return await operation.read(item, options);
    }),
    { ...flow, limit: 1 },
  );
  return read.flatMap((result, index) => {
    if (result === undefined) return [];
    if ('value' in result) return [{ index, work: result.value }];
    outcomes[index] = result;
    return [];
  });
}

function worksOf([first, ...others]: NonEmpty<Ready>): NonEmpty<unknown> {
  return [first.work, ...others.map(({ work }) => work)];
}

function groupsOf(operation: WriteOperation | GroupOperation, turn: NonEmpty<Ready>): NonEmpty<Ready>[] {
  return 'runGroup' in operation
    ? groupNeighbours(turn, ({ work }) => operation.groupOf(work))
    : turn.map((each) => [each]);
}

async function runGroup(
  operation: WriteOperation | GroupOperation,
  group: NonEmpty<Ready>,
): Promise<readonly Outcome[]> {
  if ('run' in operation) return [await settle(async () => await operation.run(group[0].work))];
  const done = await settle(async () => await operation.runGroup(worksOf(group)));
  return 'value' in done ? done.value : group.map(() => done);
}
