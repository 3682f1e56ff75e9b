import { isNameGiven } from '../../parts/model/errors';
import { concurrently, settle, type Flow } from '../../util/concurrently';
import { groupBy, groupNeighbours, type NonEmpty } from '../../util/groupBy';
import type { Item } from './item';
import type { GroupOperation, Outcome, WriteOperation } from './types';

/** An item that was read, and its place in the input. */
interface Ready {
  readonly index: number;
  readonly work: unknown;
}

/** What happened to a run. */
export interface Ran {
  /** By item. */
  readonly outcomes: readonly Outcome[];
  /** Results that belong to no item. */
  readonly rest: readonly Outcome[];
  /** Whether all items were refused together, so that no failure belongs to one item. */
  readonly isRefused: boolean;
}

/**
 * Reads and checks all items, then writes what they ask for: works of one serial key in the order of the input, several
 * keys at once. Where a failure ends the run, nothing is written unless all items passed, and nothing more is begun
 * after it.
 */
export async function runWrites(
  operation: WriteOperation | GroupOperation,
  items: readonly Item[],
  flow: Flow,
): Promise<Ran> {
  const outcomes: Outcome[] = items.map(() => undefined);
  const failed = (): number =>
    outcomes.filter((outcome) => outcome !== undefined && 'error' in outcome).length;
  const isOver = (): boolean => (flow.stopOnError && failed() > 0) || flow.signal?.aborted === true;
  const ended = { outcomes, rest: [], isRefused: false };

  const all = await readAll(operation, items, outcomes, flow);
  if (isOver()) return ended;
  let ready = all;
  const { prepare } = operation;
  if (prepare !== undefined) {
    const unread = items.filter((_, index) => outcomes[index] !== undefined);
    for (const group of groupBy(ready, ({ work }) => prepare.keyOf(work))) {
      const found = await settle(async () => await prepare.find(worksOf(group), unread));
      const failures = 'error' in found ? group.map(() => found.error) : found.value;
      group.forEach(({ index }, each) => {
        if (failures[each] !== null) outcomes[index] = { error: failures[each] };
      });
      // What is wrong with single items is not why the run ends.
      if ('error' in found && prepare.endsRun === true)
        return { ...ended, outcomes: items.map(() => found), isRefused: true };
      if (isOver()) return ended;
    }
    ready = ready.filter(({ index }) => outcomes[index] === undefined);
  }
  // This is asked for each key. With many items, it must not require looking at all of them.
  let over = false;
  const series = groupBy(ready, ({ work }) => operation.serialKeyOf(work)).map((works) => async () => {
    for (const group of groupsOf(operation, works)) {
      if (over || flow.signal?.aborted === true) return;
      const results = await runGroup(operation, group);
      group.forEach(({ index }, position) => (outcomes[index] = results[position]));
      over ||= flow.stopOnError && results.some((result) => result !== undefined && 'error' in result);
    }
  });
  await concurrently(series, flow);
  const [first, ...others] = all;
  if (first === undefined || isOver()) return ended;
  const rest = await settle(async () => await operation.finalize?.(worksOf([first, ...others]), failed()));
  return { ...ended, rest: 'error' in rest ? [rest] : (rest.value ?? []) };
}

/** Reads the items one by one, and records which cannot be read. */
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
      const first = await settle(async () => await operation.read(item, options));
      if ('value' in first) return first.value;
      if (options.peopleByName !== true || !isNameGiven(first.error)) throw first.error;
      await item.learnPeople();
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

function groupsOf(operation: WriteOperation | GroupOperation, works: NonEmpty<Ready>): NonEmpty<Ready>[] {
  return 'runGroup' in operation
    ? groupNeighbours(works, ({ work }) => operation.groupOf(work))
    : works.map((each) => [each]);
}

async function runGroup(
  operation: WriteOperation | GroupOperation,
  group: NonEmpty<Ready>,
): Promise<readonly Outcome[]> {
  if ('run' in operation) return [await settle(async () => await operation.run(group[0].work))];
  const done = await settle(async () => await operation.runGroup(worksOf(group)));
  return 'value' in done ? done.value : group.map(() => done);
}
