import type { Fault } from '../../support/sandboxTypes';
import { ModelServer, type Question, type Reply } from '../support/model-server';
import { demoCredential } from '../support/open-story';
import { runningN8n, runningSandbox } from '../support/running';
import { actionNode, mapped, n8nNode, type WorkflowNode } from '../support/workflow';

const VISITS = 'e2e_agent_writes';
const CHAT = 'When chat message received';
const n8n = runningN8n();
const sandbox = runningSandbox();

/** An agent's calls, one after the other, then what it was told. */
class Conversation {
  readonly told: string[] = [];

  constructor(private readonly calls: readonly object[]) {}

  readonly think = ({ messages }: Question, index: number): Reply => {
    if (index > 0) this.told.push(messages.at(-1)?.content ?? '');
    const call = this.calls[index];
    return call === undefined ? { say: 'done' } : { call: 'Add_Visit', with: call };
  };
}

beforeEach(async () => {
  const parts = [{ name: 'Who', type: 'textbox' }];
  await sandbox.createApplication({ name: 'Visits', identifier: VISITS, parts });
});

afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.removeApplication(VISITS);
});

describe('An agent that adds records, with Retry On Fail', () => {
  it('adds the same record twice if it asks twice', async () => {
    const { told } = await talk([{ who: 'Hofer' }, { who: 'Hofer' }], []);
    expect(told).toEqual([expect.stringContaining('created'), expect.stringContaining('created')]);
    expect(await stored()).toEqual(['Hofer', 'Hofer']);
  });

  it('adds a record whose answer was lost once, however often n8n tries, and is told that it is not known', async () => {
    const lost: Fault = { kind: 'drop', when: 'after', action: 'insert_data', times: 1 };
    const { told } = await talk([{ who: 'Hofer' }], [lost]);
    expect(told).toEqual([expect.stringContaining('outcome unknown')]);
    expect(await stored()).toEqual(['Hofer']);
  });

  it('adds what was refused in the first try', async () => {
    const refused: Fault = { kind: 'ng', errorno: -1, message: 'Not now', action: 'insert_data', times: 1 };
    const { told } = await talk([{ who: 'Hofer' }], [refused]);
    expect(told).toEqual([expect.stringContaining('created')]);
    expect(await stored()).toEqual(['Hofer']);
  });
});

async function stored(): Promise<unknown[]> {
  return (await sandbox.records(VISITS)).map(({ values }) => values.Who);
}

/** Lets an agent make calls of a tool that n8n tries three times. */
async function talk(calls: readonly object[], faults: readonly Fault[]): Promise<Conversation> {
  const conversation = new Conversation(calls);
  const model = new ModelServer(conversation.think);
  const data = { apiKey: 'no-key', url: await model.start() };
  const name = 'Model of the test';
  const { id } = await n8n.post<{ id: string }>('credentials', { name, type: 'openAiApi', data });
  await sandbox.setFaults(faults);
  const workflow = await n8n.post<{ id: string }>('workflows', agentWith({ id, name }));
  const { error } = await n8n.run(workflow.id, CHAT, {
    sessionId: 'test',
    action: 'sendMessage',
    chatInput: 'Add the visit.',
  });
  await n8n.post(`workflows/${workflow.id}/archive`, {});
  for (const path of [`workflows/${workflow.id}`, `credentials/${id}`]) await n8n.delete(path);
  await model.stop();
  expect(error?.message).toBeUndefined();
  return conversation;
}

function agentWith(openAiApi: { readonly id: string; readonly name: string }): object {
  const langchain = (name: string, type: string, typeVersion: number, parameters: object): WorkflowNode => ({
    ...n8nNode(name, type, typeVersion, { ...parameters }),
    type: `@n8n/n8n-nodes-langchain.${type}`,
  });
  const tool = actionNode('Add Visit', demoCredential, ['record', 'create', VISITS], {
    descriptionType: 'manual',
    toolDescription: 'Adds a visit.',
    parts: mapped({ Who: "={{ $fromAI('who', `Who came`, 'string') }}" }),
  });
  const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
  const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
  return {
    name: 'Agent that writes',
    nodes: [
      { ...langchain(CHAT, 'chatTrigger', 1.1, { options: {} }), webhookId: 'e2e-agent-writes' },
      langchain('Agent', 'agent', 3, { options: { maxIterations: 6 } }),
      {
        ...langchain('Model', 'lmChatOpenAi', 1.2, {
          model: { __rl: true, mode: 'id', value: 'gpt' },
          options: {},
        }),
        credentials: { openAiApi },
      },
      { ...tool, type: `${tool.type}Tool`, ...retry },
    ],
    connections: { [CHAT]: to('main'), Model: to('ai_languageModel'), 'Add Visit': to('ai_tool') },
    settings: { executionOrder: 'v1' },
  };
}
