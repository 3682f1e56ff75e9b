import { fastify, type FastifyInstance } from 'fastify';

/** A message of a conversation, as the OpenAI interface defines it. */
interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** A tool as it is offered to the model. */
interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly properties: Readonly<Record<string, { readonly type: string; readonly description?: string }>>;
    readonly required: readonly string[];
  };
}

/** A request to the model. */
export interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
}

/** The model's answer: a tool call, or text. */
export type Reply = { readonly call: string; readonly with: object } | { readonly say: string };

interface RequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: OfferedTool }[];
}

/** A server with the interface of OpenAI's language models. A test decides on its answers. */
export class ModelServer {
  /** All requests, in order. */
  readonly questions: Question[] = [];
  readonly #server: FastifyInstance = fastify();

  /** @param answer decides on the answer; if it throws, the agent's request fails */
  constructor(answer: (question: Question, index: number) => Reply) {
    this.#server.post<{ Body: RequestBody }>('/v1/chat/completions', async (request, reply) => {
      const { model, stream, messages, tools = [] } = request.body;
      if (stream === true)
        return await reply.code(400).send({ error: { message: 'This model does not stream.' } });
      const question = { model, messages, tools: tools.map((tool) => tool.function) };
      const index = this.questions.push(question) - 1;
      return completion(model, index, answer(question, index));
    });
  }

  /** @returns the base address of the interface */
  async start(): Promise<string> {
    return `${await this.#server.listen({ host: '127.0.0.1', port: 0 })}/v1`;
  }

  async stop(): Promise<void> {
    await this.#server.close();
  }
}

function completion(model: string, index: number, reply: Reply): object {
  const message =
    'say' in reply
      ? { role: 'assistant', content: reply.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${index}`,
              type: 'function',
              function: { name: reply.call, arguments: JSON.stringify(reply.with) },
            },
          ],
        };
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: 'say' in reply ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
