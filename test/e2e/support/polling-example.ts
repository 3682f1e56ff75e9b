import { connectedExample } from './examples';
import { runningN8n } from './running';
import { quickPolls } from './trigger-workflow';
import { until } from './until';

/** A copy of an example that polls every few seconds, published; its id, once its trigger knows how things are. */
export async function publishPolling(file: string): Promise<string> {
  const n8n = runningN8n();
  const example = connectedExample(file);
  const nodes = example.nodes.map((node) =>
    node.parameters?.pollTimes
      ? { ...node, parameters: { ...node.parameters, pollTimes: quickPolls() } }
      : node,
  );
  const { id, versionId } = await n8n.post<{ id: string; versionId: string }>('workflows', {
    ...example,
    nodes,
  });
  await n8n.post(`workflows/${id}/activate`, { versionId });
  const remembered = async () => (await n8n.get<{ staticData: object | null }>(`workflows/${id}`)).staticData;
  await until(async () => (await remembered()) !== null);
  expect(await remembered()).not.toBeNull();
  return id;
}
