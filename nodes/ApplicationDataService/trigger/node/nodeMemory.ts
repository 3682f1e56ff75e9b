import type { IPollFunctions } from 'n8n-workflow';

import { MAX_LIST_LENGTH } from '../../service/http/listItems';
import { newPollMemory, type PollMemory } from '../poll/pageSize';
import { FileStore } from './fileStore';
import type { KnownApplication } from './knownApplication';

/** What this process remembers about one trigger node. Losing it only costs requests. */
export interface NodeMemory {
  /** A poll is running. n8n starts the next one nevertheless. */
  running: boolean;
  /** The last poll failed and was postponed. */
  postponed: boolean;
  known: KnownApplication | undefined;
  readonly poll: PollMemory;
  readonly files: FileStore;
}

const memories = new Map<string, NodeMemory>();

/** Contexts of earlier polls. n8n creates one per start; its durable engine creates one per poll. */
const begun = new WeakSet<IPollFunctions>();

/** The memory of a node in a workflow. Copies of a workflow have their own. */
export function memoryOf(context: IPollFunctions): NodeMemory {
  const key = `${context.getWorkflow().id}:${context.getNode().id}`;
  let memory = memories.get(key);
  if (memory === undefined) {
    memory = {
      running: false,
      postponed: false,
      known: undefined,
      poll: newPollMemory(MAX_LIST_LENGTH),
      files: new FileStore(),
    };
    memories.set(key, memory);
  }
  return memory;
}

/** Whether this is the first poll since the workflow was started: by a person, at n8n's start or by a new leader. */
export function isFirstPoll(context: IPollFunctions): boolean {
  if (begun.has(context)) return false;
  begun.add(context);
  return true;
}
