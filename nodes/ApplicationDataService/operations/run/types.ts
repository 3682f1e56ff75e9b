import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';

import type { Settings, Values } from '../../common/setting';
import type { Settled } from '../../util/concurrently';
import type { NonEmpty } from '../../util/groupBy';
import type { Item } from './item';

/** The nouns of the Resource dropdown; saved workflows hold these values. */
export type ResourceValue = 'application' | 'attachment' | 'label' | 'record' | 'tableRow';

/** One output item, without its paired item: the loop knows which input it came from. */
export interface OutputItem {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
}

/** What happened to one item; `undefined` if it was not begun, because another one failed or the run was cancelled. */
export type Outcome = Settled<OutputItem[]> | undefined;

interface Description<S extends Settings> {
  readonly resource: ResourceValue;
  /** Saved in workflows: never change. */
  readonly value: string;
  /** Entry of the Operation dropdown, e.g. "Get Many". */
  readonly name: string;
  /** Entry of n8n's action list, e.g. "Get many records". */
  readonly action: string;
  readonly description: string;
  /** It refuses AI agents, so it is not offered where the node is a tool. */
  readonly refusesAgents?: boolean;
  /** Its own parameters, without its options. The registry decides when they are shown. */
  readonly properties: readonly INodeProperties[];
  /** Its options, read once for each item. */
  readonly options: S;
}

/** An operation, and what the loop does with it, in this order. All items are read before the first one runs. */
export interface Operation<S extends Settings = Settings, W = unknown> extends Description<S> {
  readonly writes: boolean;
  /** Reads and checks what an item asks for: its work, at once where it waits for nothing. Writes nothing. */
  read(item: Item, options: Values<S>): W | Promise<W>;
  /**
   * Finds out what is needed for all works together. What it throws ends the run, whatever On Error says.
   * @param unread the items that could not be read.
   * @returns why single works cannot be run, or their results; `undefined` for the others.
   */
  prepare?(works: NonEmpty<W>, unread: readonly Item[]): Promise<readonly Outcome[]>;
  /** Works of one key run one after the other, in the order of the input. */
  serialKeyOf?(work: W): string;
  /** Neighbours of one serial key with the same group are run together; each work by itself if either is absent. */
  groupOf?(work: W): string;
  /** What happened to each, in their order; a thrown error concerns them all. `undefined`: not begun. */
  runGroup(group: NonEmpty<W>): Promise<readonly Outcome[]>;
  /**
   * Runs after all works, unless the run has ended, for results that belong to no item. It gets all works.
   * @param failed how many items were not written.
   */
  finalize?(works: NonEmpty<W>, failed: number): Promise<readonly Outcome[]>;
}

/** Gives an operation that changes nothing the types of its options. */
export function readOperation<S extends Settings>({
  execute,
  ...operation
}: Description<S> & {
  readonly execute: (item: Item, options: Values<S>) => Promise<OutputItem[]>;
}): Operation {
  const reading = writeOperation({
    ...operation,
    read: (item: Item, options: Values<S>) => ({ item, options }),
    run: async ({ item, options }) => await execute(item, options),
  });
  return { ...reading, writes: false };
}

/** Gives an operation that writes the types of its options and of what it reads from an item. */
export function writeOperation<S extends Settings, W>({
  run,
  ...operation
}: Omit<Operation<S, W>, 'writes' | 'groupOf' | 'runGroup'> & {
  readonly run: (work: W) => Promise<OutputItem[]>;
}): Operation {
  return groupOperation<S, W>({ ...operation, runGroup: async ([work]) => [{ value: await run(work) }] });
}

/** Gives an operation that runs several works together the types of its options and its works. */
export function groupOperation<S extends Settings, W>(operation: Omit<Operation<S, W>, 'writes'>): Operation {
  return { ...operation, writes: true };
}
