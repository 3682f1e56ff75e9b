import { demo, demoCredential, n8n, sandbox } from '../support/here';
import { eventually } from '../support/patience';
import { publish, unpublish } from '../support/published';
import { useApplication } from '../support/use-application';
import { actionNode, chain, mapped, n8nNode, START } from '../support/workflow';

const VISITS = 'e2e_recipes';

const visits = useApplication({
  name: 'Visits',
  identifier: VISITS,
  parts: [{ name: 'Who', type: 'textbox' }],
});

/** docs/records.md, "What no operation covers". */
describe("n8n's HTTP Request node with the credential", () => {
  it('gets the answer of the service, and keeps the key out of the execution', async () => {
    const call = n8nNode(
      'Call',
      'httpRequest',
      4.2,
      {
        method: 'POST',
        url: `${demo.sandbox.baseUrl}/appsr.cgi`,
        authentication: 'predefinedCredentialType',
        nodeCredentialType: 'applicationDataServiceApi',
        sendBody: true,
        contentType: 'form-urlencoded',
        bodyParameters: {
          parameters: [
            { name: 'action', value: 'count_data' },
            { name: 'app_id', value: visits().id },
          ],
        },
      },
      { credentials: { applicationDataServiceApi: demoCredential } },
    );
    const { id } = await n8n.post<{ id: string }>('workflows', chain('Call', [call]));
    const execution = await n8n.run(id, START);
    expect(execution.output).toEqual([{ status: 'ok', allcnt: '0' }]);
    const kept = JSON.stringify(await n8n.get(`executions/${execution.id}`));
    expect(kept).not.toContain(demo.sandbox.accessKey);
  });
});

/** docs/ai-agents.md, "For an MCP client". */
describe('An MCP client', () => {
  it('finds the tool, writes with it, and reads why a write is refused', async () => {
    const add = actionNode('Add Visit', demoCredential, ['record', 'create', VISITS], {
      descriptionType: 'manual',
      toolDescription: 'Adds a visit.',
      parts: mapped({ Who: "={{ $fromAI('who', `Who came`, 'string') }}" }),
    });
    const server = n8nNode('Server', 'mcpTrigger', 2, { path: 'e2e-recipes', authentication: 'none' });
    const { id } = await n8n.post<{ id: string }>('workflows', {
      name: 'MCP',
      nodes: [
        { ...server, type: '@n8n/n8n-nodes-langchain.mcpTrigger', webhookId: 'e2e-recipes' },
        { ...add, type: `${add.type}Tool` },
      ],
      connections: { 'Add Visit': { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
      settings: { executionOrder: 'v1' },
    });
    await publish(n8n, id);
    const session = await eventually(
      async () => await ask('initialize', CLIENT),
      ({ status }) => expect(status).toBe(200),
    );
    expect((await ask('tools/list', {}, session.id)).text).toContain('"name":"Add_Visit"');
    const call = async (who: string): Promise<string> =>
      (await ask('tools/call', { name: 'Add_Visit', arguments: { who } }, session.id)).text;
    expect(await call('Hofer')).toMatch(/outcome.*created/);
    expect(await call('')).toMatch(/"isError":true/);
    expect((await sandbox.records(VISITS)).map(({ values }) => values.Who)).toEqual(['Hofer']);
    await unpublish(n8n, id);
  });
});

const CLIENT = {
  protocolVersion: '2025-03-26',
  capabilities: {},
  clientInfo: { name: 'story', version: '1' },
};

/** Asks n8n's MCP server as a client does (Streamable HTTP). */
async function ask(
  method: string,
  params: object,
  session?: string,
): Promise<{ status: number; id: string; text: string }> {
  const response = await fetch(`${demo.n8nUrl}/mcp/e2e-recipes`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const id = response.headers.get('mcp-session-id') ?? '';
  return { status: response.status, id, text: await response.text() };
}
