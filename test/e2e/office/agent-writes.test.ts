import type { Fault } from '../../support/sandboxTypes';
import { askAgent, CHAT } from '../support/agent';
import { demoCredential, sandbox } from '../support/here';
import { useApplication } from '../support/use-application';
import { actionNode, type CredentialName, mapped, n8nNode, type WorkflowNode } from '../support/workflow';

const VISITS = 'e2e_agent_writes';

useApplication({ name: 'Visits', identifier: VISITS, parts: [{ name: 'Who', type: 'textbox' }] }, 'each');

describe('An agent that adds records, with Retry On Fail', () => {
  it('adds the same record twice if it asks twice', async () => {
    expect(await told([{ who: 'Hofer' }, { who: 'Hofer' }])).toEqual([
      expect.stringContaining('created'),
      expect.stringContaining('created'),
    ]);
    expect(await stored()).toEqual(['Hofer', 'Hofer']);
  });

  it('adds a record whose answer was lost once, however often n8n tries, and is told that it is not known', async () => {
    const lost: Fault = { kind: 'drop', when: 'after', action: 'insert_data', times: 1 };
    await sandbox.setFaults([lost]);
    expect(await told([{ who: 'Hofer' }])).toEqual([expect.stringContaining('outcome unknown')]);
    expect(await stored()).toEqual(['Hofer']);
  });
});

async function stored(): Promise<unknown[]> {
  return (await sandbox.records(VISITS)).map(({ values }) => values.Who);
}

/** What an agent is told that makes calls, one after the other, of a tool that n8n tries three times. */
async function told(calls: readonly object[]): Promise<unknown[]> {
  const { questions } = await askAgent(
    agentWith,
    (_, index) => (calls[index] ? { call: 'Add_Visit', with: calls[index] } : { say: 'done' }),
    'Add the visit.',
  );
  return questions.slice(1).map(({ messages }) => messages.at(-1)?.content);
}

function agentWith(openAiApi: CredentialName): object {
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
