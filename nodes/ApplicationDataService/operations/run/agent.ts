import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent runs the node, as one of its tools. n8n's recent agents run a tool as they run any node, and only
 * its type shows that: n8n appends "Tool" to it.
 */
export function isAgentRun(context: IExecuteFunctions): boolean {
  // n8n 1.x does not have it.
  const isTool = 'isToolExecution' in context && context.isToolExecution();
  return isTool || context.getNode().type.endsWith('Tool');
}
