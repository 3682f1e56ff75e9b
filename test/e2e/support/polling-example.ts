import { connectedExample } from './examples';
import { eventually } from './patience';
import { runningN8n } from './running';
import { quickPolls } from './trigger-workflow';

/**
 * Publishes a copy of an example that polls every few seconds. @returns its id once its trigger has learned the
 * records.
 */
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
  await eventually(
    async () => await n8n.get<{ staticData: object | null }>(`workflows/${id}`),
    ({ staticData }) => expect(staticData).not.toBeNull(),
  );
  return id;
}
