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

/** The description of an operation. */
interface OperationBase<S extends Settings> {
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

/** An operation that changes nothing. */
interface ReadOperation<S extends Settings = Settings> extends OperationBase<S> {
  execute(item: Item, options: Values<S>): Promise<OutputItem[]>;
}

/** An operation that writes. The loop reads and checks all items before it runs the first. */
export interface GroupOperation<S extends Settings = Settings, W = unknown> extends OperationBase<S> {
  /** Reads and checks what an item asks for; writes nothing. What it returns is the item's work. */
  read(item: Item, options: Values<S>): Promise<W>;
  /**
   * What must be found out for all works together, or for those with the same key, before the first one runs. `find`
   * returns what it can already say of single works: why they cannot be run, or their results; `undefined` for others.
   */
  readonly prepare?: {
    keyOf?(work: W): string;
    /** @param unread the items that have no work, because they could not be read. */
    find(works: NonEmpty<W>, unread: readonly Item[]): Promise<readonly Outcome[]>;
    /** What `find` throws concerns all items: it ends the run also where the node continues on failure. */
    readonly endsRun?: boolean;
  };
  /**
   * Runs after all works, unless the run has ended, for results that belong to no item: they follow, paired with the
   * first one. `works` are those of all items that could be read.
   * @param failed how many items were not written.
   */
  finalize?(works: NonEmpty<W>, failed: number): Promise<readonly Outcome[]>;
  /** Works of one key run one after the other, in the order of the input. */
  serialKeyOf?(work: W): string;
  /** Neighbours of one serial key with the same group are run together; each work by itself if either is absent. */
  groupOf?(work: W): string;
  /** What happened to each, in their order; a thrown error concerns them all. `undefined`: not begun. */
  runGroup(group: NonEmpty<W>): Promise<readonly Outcome[]>;
}

type WriteOperation<S extends Settings, W> = Omit<GroupOperation<S, W>, 'groupOf' | 'runGroup'> & {
  run(work: W): Promise<OutputItem[]>;
};

export type Operation = ReadOperation | GroupOperation;

/** What happened to one item; `undefined` if it was not begun, because another one failed or the run was cancelled. */
export type Outcome = Settled<OutputItem[]> | undefined;

/** Gives an operation the types of its options and of what it reads from an item; so do the next two. */
export function readOperation<S extends Settings>(operation: ReadOperation<S>): Operation {
  return operation;
}

export function writeOperation<S extends Settings, W>(operation: WriteOperation<S, W>): GroupOperation {
  return groupOperation({
    ...operation,
    runGroup: async ([work]) => [{ value: await operation.run(work) }],
  });
}

export function groupOperation<S extends Settings, W>(operation: GroupOperation<S, W>): GroupOperation {
  return operation;
}
