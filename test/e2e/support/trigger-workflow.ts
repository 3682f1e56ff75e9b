import type { N8n } from './n8n';
import { eventually } from './patience';
import { chain, type CredentialName, n8nNode, serviceNode } from './workflow';

/** How often the trigger polls. n8n accepts a minute as the least, but also several times within a minute. */
export const POLL_EVERY_MS = 5_000;

/** The node behind the trigger. A story looks at its items, which are the trigger's output. */
export const BEHIND_TRIGGER = 'Behind the Trigger';

/** The trigger's parameter `pollTimes` for polls every {@link POLL_EVERY_MS}. */
export function quickPolls(): object {
  const seconds = Array.from(
    { length: 60_000 / POLL_EVERY_MS },
    (_, index) => (index * POLL_EVERY_MS) / 1000,
  );
  return { item: seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })) };
}

interface SavedWorkflow {
  readonly versionId: string;
  readonly nodes: { readonly parameters: Record<string, unknown> }[];
  readonly connections: object;
}

/**
 * Makes the trigger of a workflow poll more often than once a minute, the least that the editor offers.
 * @param typed what was typed last: n8n saves a workflow by itself a moment after a change
 */
export async function pollOften(n8n: N8n, workflowId: string, typed: string): Promise<void> {
  const { versionId, nodes, connections } = await eventually(
    async () => await n8n.get<SavedWorkflow>(`workflows/${workflowId}`),
    (saved) => expect(JSON.stringify(saved.nodes)).toContain(typed),
  );
  const changed = nodes.map((node) => ({
    ...node,
    parameters: { ...node.parameters, pollTimes: quickPolls() },
  }));
  await n8n.patch(`workflows/${workflowId}`, { versionId, nodes: changed, connections });
}

/** What the trigger watches, and how. */
export interface WatchedApplication {
  readonly identifier: string;
  readonly watchParts?: readonly string[];
  readonly options: object;
}

/** A workflow that each change of an application's records starts, as n8n's REST interface accepts it. */
export function triggerWorkflow(
  credential: CredentialName,
  { identifier, watchParts = [], options }: WatchedApplication = { identifier: 'customers', options: {} },
): object {
  const events = ['created', 'updated', 'deleted'];
  const parameters = { pollTimes: quickPolls(), events, watchParts, options };
  return chain(
    `On each change in ${identifier}`,
    [n8nNode(BEHIND_TRIGGER, 'noOp', 1, {})],
    serviceNode('Application Data Service Trigger', 'trigger', credential, identifier, parameters),
  );
}
