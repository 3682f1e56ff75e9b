import { askAgent } from '../support/agent';
import { connectedExample } from '../support/examples';
import type { Question, Reply } from '../support/model-server';

const MODEL_TYPE = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

/** The last tool's output. */
function lastResult({ messages }: Question): Record<string, unknown>[] {
  const last = messages.at(-1);
  expect(last?.role).toBe('tool');
  return JSON.parse(last?.content ?? '') as Record<string, unknown>[];
}

/** A model that makes one mistake, reads the error, and continues with what it finds. */
function think(question: Question, index: number): Reply {
  const find = (part: string) => ({
    call: 'Find_Customers',
    with: { part, operator: 'equals', value: 'A', keyword: '' },
  });
  if (index === 0) return find('Rang');
  if (index === 1) {
    const suggested = /"(Rank)"/.exec(String(lastResult(question)[0]?.error))?.[1];
    return find(suggested ?? 'nothing was suggested');
  }
  if (index === 2) {
    const acme = lastResult(question).find(({ Company }) => Company === 'Acme Engineering');
    return { call: 'Read_Customer', with: { id: acme?.id } };
  }
  const [customer] = lastResult(question);
  return {
    say: `${String(customer?.Contact)}, ${String(customer?.['E-mail'])} (record ${String(customer?.id)})`,
  };
}

describe('The example of an agent that looks records up', () => {
  let questions: readonly Question[] = [];

  it('answers from the records, with its two tools', async () => {
    const example = connectedExample('agent-lookup.json');
    const asked = await askAgent(
      (openAiApi) => ({
        ...example,
        nodes: example.nodes.map((node) =>
          node.type === MODEL_TYPE ? { ...node, credentials: { openAiApi } } : node,
        ),
      }),
      think,
      'Whom do I write to at our customers of rank A in Leeds?',
    );

    ({ questions } = asked);
    expect(asked.output).toEqual([{ output: 'Lena Hofer, l.hofer@acme.example (record 1)' }]);
    expect(questions).toHaveLength(4);
  });

  it('describes the tools to the model', () => {
    const [first] = questions;
    const [system, user] = first?.messages ?? [];
    expect(system).toMatchObject({
      role: 'system',
      content: expect.stringContaining('never guess') as string,
    });
    expect(user).toMatchObject({ role: 'user', content: expect.stringContaining('in Leeds') as string });
    const tools = Object.fromEntries((first?.tools ?? []).map((tool) => [tool.name, tool]));
    expect(Object.keys(tools).sort()).toEqual(['Find_Customers', 'Read_Customer']);
    expect(tools.Find_Customers).toMatchObject({
      description: expect.stringMatching(/^Finds customers by one part/) as string,
      parameters: {
        properties: {
          part: { type: 'string', description: expect.stringContaining('Credit Limit') as string },
          operator: { type: 'string', description: expect.stringContaining('gte') as string },
          value: { type: 'string' },
          keyword: { type: 'string' },
        },
        required: ['part', 'operator', 'value', 'keyword'],
      },
    });
    expect(tools.Read_Customer?.parameters.properties).toEqual({
      id: { type: 'string', description: 'id of the customer, a number' },
    });
  });

  it('returns errors that the model can correct, and short records', () => {
    const [, afterError, afterFind, afterRead] = questions;
    expect(lastResult(afterError!)).toEqual([
      { error: expect.stringMatching(/^Filter 1: .*"Rang".*Rank/s) as string },
    ]);
    const found = lastResult(afterFind!);
    // Other stories may have left customers.
    expect(found.filter(({ Rank }) => Rank !== 'A')).toEqual([]);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: '1', Company: 'Acme Engineering', 'Credit Limit': 50_000 }),
        expect.objectContaining({ id: '3', Company: '山田商事' }),
      ]),
    );
    expect(Object.keys(found[0] ?? {})).toEqual([
      ...['id', 'Company', 'Contact', 'Rank', 'Industry', 'Credit Limit'],
      ...['revision', 'canWrite', 'canDelete'],
    ]);
    expect(lastResult(afterRead!)).toEqual([
      expect.objectContaining({ id: '1', Address: '12 Mill Lane\nLeeds', Regions: ['North', 'West'] }),
    ]);
  });
});
