import type { Execution, N8n } from './n8n';
import type { Editor } from './editor';
import { clickUntil, eventually } from './patience';

/**
 * Publishes a workflow. Its triggers start a moment later.
 * @returns how many of its executions had ended before
 */
export async function publish(n8n: N8n, workflowId: string): Promise<number> {
  const before = (await n8n.endedExecutions(workflowId)).length;
  const { versionId } = await n8n.get<{ versionId: string }>(`workflows/${workflowId}`);
  await n8n.post(`workflows/${workflowId}/activate`, { versionId });
  return before;
}

/** Publishes the open workflow as a person does, and waits until its trigger has polled. */
export async function publishInEditor(editor: Editor, n8n: N8n): Promise<void> {
  await clickUntil(editor.get('workflow-open-publish-modal-button'), editor.get('workflow-publish-button'));
  await editor.get('workflow-publish-button').click();
  await editor.get('activation-modal').getByText('regularly check Application Data Service').waitFor();
  await editor.get('activation-modal').getByRole('button', { name: 'Got it' }).click();
  await untilPolled(n8n, editor.workflowId);
}

/** Waits until a published trigger has polled: then n8n has its state. n8n itself answers before. */
export async function untilPolled(n8n: N8n, workflowId: string): Promise<void> {
  await eventually(
    async () => await n8n.get<{ staticData: unknown }>(`workflows/${workflowId}`),
    ({ staticData }) => expect(staticData).not.toBeNull(),
  );
}

/** Unpublishes a workflow. */
export async function unpublish(n8n: N8n, workflowId: string): Promise<void> {
  await n8n.post(`workflows/${workflowId}/deactivate`, {});
}

/** The last execution of a workflow, once `count` have ended. */
export async function endedExecution(n8n: N8n, workflowId: string, count: number): Promise<Execution> {
  const ended = await eventually(
    async () => await n8n.endedExecutions(workflowId),
    ({ length }) => expect(length).toBeGreaterThanOrEqual(count),
  );
  return ended[count - 1]!;
}

/**
 * What `act` returns, and the execution that it started, once that has ended. A test that counts executions from the
 * start of its story would, at its second try, take the one of its first try.
 */
export async function withExecution<T>(
  n8n: N8n,
  workflowId: string,
  act: () => Promise<T>,
): Promise<{ returned: T; execution: Execution }> {
  const before = (await n8n.executions(workflowId)).length;
  const returned = await act();
  await eventually(
    async () => await n8n.executions(workflowId),
    ({ length }) => expect(length).toBeGreaterThan(before),
  );
  return { returned, execution: await endedExecution(n8n, workflowId, before + 1) };
}
