import { connectedExample } from './examples';
import { publish, untilPolled } from './published';
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
  const { id } = await n8n.post<{ id: string }>('workflows', { ...example, nodes });
  await publish(n8n, id);
  await untilPolled(n8n, id);
  return id;
}
