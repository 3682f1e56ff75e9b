import {
  Workflow,
  type IBinaryData,
  type INodeParameters,
  type INodeType,
  type INodeTypes,
} from 'n8n-workflow';

/** An active workflow of one trigger node, which has the credential of a test. */
export function workflowOf(
  type: INodeType,
  parameters: INodeParameters,
  more: Partial<ConstructorParameters<typeof Workflow>[0]> = {},
  name = 'Trigger',
): Workflow {
  const nodeTypes = {
    getByName: () => type,
    getByNameAndVersion: () => type,
    getKnownTypes: () => ({}),
  } as INodeTypes;
  const node = {
    ...{ id: '1', name, typeVersion: 1, position: [0, 0] as [number, number], parameters },
    type: `n8n-nodes-application-data-service.${type.description.name}`,
    credentials: { applicationDataServiceApi: { id: '1', name: 'Test' } },
  };
  return new Workflow({ id: 'test', active: true, nodes: [node], connections: {}, nodeTypes, ...more });
}

/** n8n's binary store, in memory. It reads a file to its end. */
export async function prepareBinaryData(
  content: AsyncIterable<Uint8Array>,
  fileName: string,
  mimeType: string,
): Promise<IBinaryData> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { data: Buffer.concat(chunks).toString('base64'), fileName, mimeType };
}
