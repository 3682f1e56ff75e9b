import { n8n } from './here';
import { ModelServer, type Question, type Reply } from './model-server';
import type { CredentialName } from './workflow';

/** The trigger of a workflow with an agent. */
const CHAT = 'When chat message received';

/**
 * Says something to the agent of a workflow, whose model is played by `think`.
 * @param workflowWith the workflow, with a credential for the model
 * @returns the output of the agent, and what the model was asked
 */
export async function askAgent(
  workflowWith: (openAiApi: CredentialName) => object,
  think: (question: Question, index: number) => Reply,
  chatInput: string,
): Promise<{ output: unknown; questions: readonly Question[] }> {
  const model = new ModelServer(think);
  const data = { apiKey: 'no-key', url: await model.start() };
  const name = 'Model of the test';
  const { id } = await n8n.post<{ id: string }>('credentials', { name, type: 'openAiApi', data });
  const workflow = await n8n.post<{ id: string }>('workflows', workflowWith({ id, name }));
  const input = { sessionId: 'test', action: 'sendMessage', chatInput };
  const { error, output } = await n8n.run(workflow.id, CHAT, input);
  await n8n.post(`workflows/${workflow.id}/archive`, {});
  for (const path of [`workflows/${workflow.id}`, `credentials/${id}`]) await n8n.delete(path);
  await model.stop();
  expect(error?.message).toBeUndefined();
  return { output, questions: model.questions };
}
