import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';

import type { Flow } from '../../util/concurrently';
import type { ItemRun } from './itemRun';

export type { Flow };

/** The nouns of the Resource dropdown; saved workflows hold these values. */
export type ResourceValue = 'application' | 'attachment' | 'label' | 'record' | 'tableRow';

/** One output item, without its paired item: the loop knows which input it came from. */
export interface OutputItem {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
}

/** What is said of an operation wherever it appears. One file each; the registry builds the node from them. */
interface OperationBase {
  readonly resource: ResourceValue;
  /** Saved in workflows: never change. */
  readonly value: string;
  /** Entry of the Operation dropdown, e.g. "Get Many". */
  readonly name: string;
  /** Entry of n8n's action list, e.g. "Get many records". */
  readonly action: string;
  readonly description: string;
  /** The operation's own parameters; when they are shown is the registry's affair. */
  readonly properties: readonly INodeProperties[];
}

/** An operation that handles each item by itself; several are under way at once. */
export interface ItemOperation extends OperationBase {
  execute(item: ItemRun): Promise<OutputItem[]>;
}

/**
 * The same in two steps, for operations that write: all items are checked before anything is sent for the first of
 * them, so that bad input does not leave half of a run written.
 */
export interface CheckedOperation extends OperationBase {
  /** Reads and checks what an item asks for; gives what does it. */
  prepare(item: ItemRun): Promise<() => Promise<OutputItem[]>>;
}

/**
 * An operation that merges items into fewer requests. Gives one outcome for each item, in their order; `undefined` for
 * items that were not begun because another one failed or the execution was cancelled.
 */
export interface BatchOperation extends OperationBase {
  executeAll(items: readonly ItemRun[], flow: Flow): Promise<(ItemOutcome | undefined)[]>;
}

export type Operation = ItemOperation | CheckedOperation | BatchOperation;

/** What became of one item. */
export type ItemOutcome = { readonly output: OutputItem[] } | { readonly error: unknown };
