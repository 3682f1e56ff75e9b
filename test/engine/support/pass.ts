import { NodeConnectionTypes, type IConnections, type INode } from 'n8n-workflow';

import { CREDENTIAL, nodeThat } from '../../support/engine';

/** A node that passes its items on. */
export const pass = nodeThat(async function () {
  return await Promise.resolve([this.getInputData()]);
});

/** A node of a workflow, which passes its items on unless it has another type. */
export function nodeOf(name: string, more: Partial<INode> = {}): INode {
  return { id: name, name, type: 'test.pass', typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

/** The package's node. */
export function serviceNode(name: string, more: Partial<INode>): INode {
  return nodeOf(name, {
    type: 'n8n-nodes-application-data-service.applicationDataService',
    credentials: CREDENTIAL,
    ...more,
  });
}

/** Connections from the first output of each node, by the node's name. */
export function connect(lines: Readonly<Record<string, readonly string[]>>): IConnections {
  return Object.fromEntries(
    Object.entries(lines).map(([from, names]) => [
      from,
      { main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }))] },
    ]),
  );
}
