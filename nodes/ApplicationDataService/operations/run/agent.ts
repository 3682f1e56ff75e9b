import type { IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { isUnsaid } from '../../parts/values/unsaid';

/**
 * Whether an AI agent runs the node, as one of its tools. n8n's recent agents run a tool as they run any node, and only
 * its type tells: n8n appends "Tool" to it.
 */
export function isAgentRun(context: IExecuteFunctions): boolean {
  // n8n 1.x does not have it.
  const isTool = 'isToolExecution' in context && context.isToolExecution();
  return isTool || context.getNode().type.endsWith('Tool');
}

/**
 * A parameter as an agent gave it. A model fills in every parameter it is offered, so what it leaves empty was not said
 * and means the default; a switch may come as text.
 */
export function saidByAgent(value: unknown, fallback: NodeParameterValueType | undefined): unknown {
  if (isUnsaid(value)) return fallback;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/**
 * The options as an agent gave them.
 * @throws UserError where it was left to the agent whether to write, and it did not say.
 */
export function optionsOfAgent(options: IDataObject): IDataObject {
  const said = Object.fromEntries(
    Object.entries(options)
      .map(([name, value]) => [name, saidByAgent(value, undefined)] as const)
      .filter(([, value]) => value !== undefined),
  ) as IDataObject;
  if (!('dryRun' in options) || typeof said.dryRun === 'boolean') return said;
  throw new UserError(
    'It was not said whether this is a dry run',
    'Give true to only tell what would change, or false to do it.',
  );
}
