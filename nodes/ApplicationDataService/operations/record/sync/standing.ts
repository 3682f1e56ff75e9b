import type { IExecuteFunctions } from 'n8n-workflow';

/** The node's position in its workflow, as far as it shows whether the input is a complete list. */
export interface Standing {
  /** n8n gives the node the first item only. */
  readonly executeOnce: boolean;
  /** A node that comes before this one as well as after it. */
  readonly loopWith: string | null;
  /** Names of the nodes that feed it, one for each connection. */
  readonly feeders: readonly string[];
  /** Which run of the node in this execution, from 0. A retry is the same run. */
  readonly run: number;
}

/** The connections of a workflow by the node that they lead to, as n8n holds them. */
type Connections = Partial<
  Record<string, { readonly main?: readonly (readonly { readonly node: string }[] | null)[] }>
>;

/** Finds out where the node is in the workflow. */
export function standingOf(context: IExecuteFunctions): Standing {
  const { name, executeOnce = false } = context.getNode();
  const children = new Set([name, ...context.getChildNodes(name).map((child) => child.name)]);
  const feeders = feedersOf(context, name);
  const before = [...feeders, ...context.getParentNodes(name).map((parent) => parent.name)];
  const run: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return {
    executeOnce,
    loopWith: before.find((each) => children.has(each)) ?? null,
    feeders: feeders.filter((feeder) => bringsItems(context, name, feeder)),
    run: typeof run === 'number' ? run : 0,
  };
}

/**
 * n8n reports the nodes directly before this one, each once. Two outputs of one node count twice, which only the connections
 * show. The execution contexts contain these, although their types do not say so.
 */
function feedersOf(context: IExecuteFunctions, name: string): string[] {
  const { workflow } = context as { workflow?: { connectionsByDestinationNode?: Connections } };
  const inputs = workflow?.connectionsByDestinationNode?.[name]?.main;
  if (inputs !== undefined) return inputs.flatMap((each) => (each ?? []).map(({ node }) => node));
  return context.getParentNodes(name, { depth: 1 }).map((parent) => parent.name);
}

/** A deactivated node passes on its input, which is empty if no node is connected before it. */
function bringsItems(context: IExecuteFunctions, name: string, feeder: string): boolean {
  const found = context.getParentNodes(name).find((parent) => parent.name === feeder);
  return found?.disabled !== true || context.getParentNodes(feeder).length > 0;
}
