import { WorkflowExecute } from 'n8n-core';
import type { INode, IPinData, IRun, Workflow } from 'n8n-workflow';

interface Start {
  readonly workflow: Workflow;
  readonly startNode: INode;
  readonly pinData: IPinData;
}

type Execution = PromiseLike<IRun> & { cancel(): void };

/** How n8n before 2.0 starts its engine. */
type StartInTurn = (
  workflow: Workflow,
  startNode: INode,
  destinationNode: undefined,
  pinData: IPinData,
) => Execution;

/** Starts an execution in n8n's engine, in any version of n8n-core. */
export function startExecution(engine: WorkflowExecute, start: Start): Execution {
  const { workflow, startNode, pinData } = start;
  // The newer engine takes one object.
  if (WorkflowExecute.prototype.run.length === 1) return engine.run({ workflow, startNode, pinData });
  const run = engine.run.bind(engine) as unknown as StartInTurn;
  return run(workflow, startNode, undefined, pinData);
}
