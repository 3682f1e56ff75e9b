import { fastify, type FastifyInstance } from 'fastify';

/** A message of a conversation, in the words of the OpenAI interface. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** A tool as it is offered to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly properties: Readonly<Record<string, { readonly type: string; readonly description?: string }>>;
    readonly required: readonly string[];
  };
}

/** What the model is asked. */
export interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
}

/** What the model answers: a call of a tool, or words. */
export type Reply = { readonly call: string; readonly with: object } | { readonly say: string };

interface RequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: OfferedTool }[];
}

/** Speaks like a language model with OpenAI's interface; what it says is a test's to decide, from what it is asked. */
export class ModelServer {
  /** All it was asked, in order. */
  readonly questions: Question[] = [];
  readonly #server: FastifyInstance = fastify();

  /** @param answer the model's mind; what it throws ends the agent's run as a failed request */
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
