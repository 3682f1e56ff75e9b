import type { IBinaryKeyData, IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { readText } from '../../parts/values/wire';
import type { ServiceError } from '../../service/http/errors';
import type { ApplicationSession, ServiceSession } from '../../service/application/session';
import { optionsOfAgent } from './agent';
import type { Hints } from './hints';
import { readApplicationReference } from '../../common/applicationReference';
import type { Parameters } from './parameters';
import type { WriteMemory } from './writeMemory';

/** What all items of a run share. */
export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: ServiceSession;
  readonly parameters: Parameters;
  readonly memory: WriteMemory;
  readonly hints: Hints;
  /** Whether an AI agent runs the node, as a tool. */
  readonly byAgent: boolean;
}

/** One input item as an operation sees it. */
export class ItemRun {
  constructor(
    readonly run: Run,
    readonly index: number,
    readonly json: IDataObject,
    readonly binary: IBinaryKeyData,
  ) {}

  /** The same item with these files besides its own. */
  withFiles(files: IBinaryKeyData): ItemRun {
    return new ItemRun(this.run, this.index, this.json, { ...this.binary, ...files });
  }

  /** A text parameter, trimmed; empty where it is not set. */
  text(name: string): string {
    return readText(this.run.parameters.get(name, this.index, '')).trim();
  }

  /** @throws UserError when the parameter is empty. */
  requiredText(name: string, label: string): string {
    const value = this.text(name);
    if (value !== '') return value;
    throw new UserError(
      `${label} is empty`,
      `Enter it, or check the expression that should give it: it was empty for this item.`,
    );
  }

  /** A parameter whole, as saved or as its expressions give it. */
  value(name: string, fallback?: NodeParameterValueType): unknown {
    return this.run.parameters.get(name, this.index, fallback);
  }

  /** The `options` collection; a key that is absent means its default. */
  options(): IDataObject {
    const options = (this.value('options', {}) ?? {}) as IDataObject;
    return this.run.byAgent ? optionsOfAgent(options) : options;
  }

  /** The application that the item is for, read once per run. */
  async application(): Promise<ApplicationSession> {
    const reference = readApplicationReference(this.value('application', ''));
    if (reference === '') {
      throw new UserError(
        'No application is chosen',
        'Choose one from the list, or enter its ID or identifier.',
      );
    }
    return await this.run.session.application(reference);
  }

  /**
   * Does a write, or gives what it gave when n8n ran this item before (Retry On Fail).
   * @param settleDoubt finds out what became of a write that was in doubt then, or throws the doubt.
   */
  async once<T extends IDataObject>(
    request: unknown,
    write: () => Promise<T>,
    settleDoubt?: (doubt: ServiceError) => Promise<T>,
  ): Promise<T> {
    return await this.run.memory.once(this.index, request, write, settleDoubt);
  }

  /** Whether an action for this item was in doubt when n8n ran it before. */
  isInDoubt(action: string): boolean {
    return this.run.memory.isInDoubt(this.index, action);
  }

  /** What this item's write gave when n8n ran it before; for operations that write several items at once. */
  remembered(request: unknown): IDataObject | undefined {
    return this.run.memory.recall(this.index, request);
  }

  /** Keeps what this item's write gave. */
  remember(request: unknown, outcome: IDataObject): void {
    this.run.memory.keep(this.index, request, outcome);
  }

  /** Time zone in which the service's dates and times stand. */
  timezone(): string {
    return readText(this.options().timezone).trim() || this.run.context.getTimezone();
  }
}
