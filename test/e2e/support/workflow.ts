type Parameters = Readonly<Record<string, unknown>>;

/** A credential as workflows name it. */
export interface CredentialName {
  readonly id: string;
  readonly name: string;
}

/** A node as n8n's REST interface accepts it. */
export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: Parameters;
  readonly [more: string]: unknown;
}

/** A workflow as n8n's REST interface accepts it. */
interface Workflow {
  readonly name: string;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: Readonly<Record<string, object>>;
  readonly settings: object;
}

/** The manual trigger of every workflow. */
export const START = 'Start';

/** One of n8n's own nodes. */
export function n8nNode(
  name: string,
  type: string,
  typeVersion: number,
  parameters: Parameters,
  more: Parameters = {},
): WorkflowNode {
  return {
    id: name,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [0, 0],
    parameters,
    ...more,
  };
}

const SERVICE = { action: '', trigger: 'Trigger', webhook: 'WebhookTrigger' } as const;

/** One of the nodes of the package, on the application with an identifier. */
export function serviceNode(
  name: string,
  node: keyof typeof SERVICE,
  { id, name: credentialName }: CredentialName,
  application: string,
  parameters: Parameters = {},
): WorkflowNode {
  return {
    id: name,
    name,
    type: `n8n-nodes-application-data-service.applicationDataService${SERVICE[node]}`,
    typeVersion: 1,
    position: [0, 0],
    credentials: { applicationDataServiceApi: { id, name: credentialName } },
    parameters: { application: { __rl: true, mode: 'identifier', value: application }, ...parameters },
  };
}

/** The action node. */
export function actionNode(
  name: string,
  credential: CredentialName,
  [resource, operation, application]: readonly [resource: string, operation: string, application: string],
  parameters: Parameters = {},
): WorkflowNode {
  return serviceNode(name, 'action', credential, application, { resource, operation, ...parameters });
}

/** The values of Mapped Below by part name, and the matching parts of Create or Update. */
export function mapped(value: Parameters, matchingColumns: readonly string[] = []): Parameters {
  return { mappingMode: 'defineBelow', value, matchingColumns, schema: [] };
}

const manual = n8nNode(START, 'manualTrigger', 1, {});

/** Two nodes that give an item for each object in a list. Unlike a Code node, they need no task runner. */
export function makeItems(list: readonly object[]): WorkflowNode[] {
  const assignment = { id: 'list', name: 'list', type: 'array', value: JSON.stringify(list) };
  return [
    n8nNode('List', 'set', 3.4, { assignments: { assignments: [assignment] }, options: {} }),
    n8nNode('Items', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
  ];
}

/** A workflow that starts with a trigger and runs the nodes one after the other. */
export function chain(name: string, nodes: readonly WorkflowNode[], trigger = manual): Workflow {
  const all = [trigger, ...nodes];
  const links = all
    .slice(1)
    .map((node, index) => [all[index]?.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
  return {
    name,
    nodes: all.map((node, index) => ({ ...node, position: [index * 240, 0] })),
    connections: Object.fromEntries(links) as Workflow['connections'],
    settings: { executionOrder: 'v1' },
  };
}

/** A workflow in which the manual trigger starts each node separately. */
export function beside(name: string, nodes: readonly WorkflowNode[]): object {
  const all = [manual, ...nodes];
  const links = nodes.map((node) => ({ node: node.name, type: 'main', index: 0 }));
  return {
    name,
    nodes: all.map((node, index) => ({ ...node, position: [nodes.includes(node) ? 240 : 0, index * 160] })),
    connections: { [START]: { main: [links] } },
    settings: { executionOrder: 'v1' },
  };
}
