import type { IPollFunctions } from 'n8n-workflow';

import { MAX_LIST_LENGTH } from '../../service/http/listItems';
import { newPollMemory, type PollMemory } from '../poll/pageSize';
import { FileStore } from './fileStore';
import type { KnownApplication } from './knownApplication';

/** What this process remembers of one trigger node. Losing it costs requests, nothing else. */
export interface NodeMemory {
  /** A poll is under way; n8n starts the next one all the same. */
  running: boolean;
  /** The last poll failed and was put off. */
  postponed: boolean;
  known: KnownApplication | undefined;
  readonly poll: PollMemory;
  readonly files: FileStore;
}

const memories = new Map<string, NodeMemory>();

/** Contexts in which a poll was made; n8n makes one a start, and a durable one a poll. */
const begun = new WeakSet<IPollFunctions>();

/** The memory of a node of a workflow; workflows that are copies of each other have their own. */
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

/** Whether this is the first poll since the workflow was started, by a person, with n8n or by a new leader. */
export function isFirstPoll(context: IPollFunctions): boolean {
  if (begun.has(context)) return false;
  begun.add(context);
  return true;
}
