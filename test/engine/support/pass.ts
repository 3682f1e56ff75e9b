import { NodeConnectionTypes, type IConnections, type INode, type INodeType } from 'n8n-workflow';

import { CREDENTIAL } from '../../support/engine';

/** Gives on what it gets. */
export const pass: INodeType = {
  description: {
    displayName: 'Pass',
    name: 'pass',
    group: ['transform'],
    version: 1,
    description: 'Gives on what it gets',
    defaults: { name: 'Pass' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
  },
  async execute() {
    return await Promise.resolve([this.getInputData()]);
  },
};

/** A node of a workflow, one that gives on what it gets unless it says otherwise. */
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

/** Connections by the nodes they come from, the first output of each. */
export function connect(lines: Readonly<Record<string, readonly string[]>>): IConnections {
  return Object.fromEntries(
    Object.entries(lines).map(([from, names]) => [
      from,
      { main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }))] },
    ]),
  );
}
