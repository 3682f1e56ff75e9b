import { connectedExample } from './examples';
import type { N8n } from './n8n';
import { publish, unpublish, untilPolled } from './published';
import { quickPolls } from './trigger-workflow';
import type { CredentialName } from './workflow';

type Json = Record<string, unknown>;

/** A copy of an example that polls every few seconds, and what it does about the records of a story. */
export class PollingExample {
  readonly #n8n: () => N8n;
  /** Ids of the records of the story. */
  readonly own: string[] = [];
  id = '';

  constructor(n8n: () => N8n) {
    this.#n8n = n8n;
  }

  /** Resolves once its trigger has learned the records. */
  async publish(file: string, credential?: CredentialName): Promise<void> {
    const n8n = this.#n8n();
    // Where this is the second try, the first one is still published.
    if (this.id !== '') await unpublish(n8n, this.id);
    const example = connectedExample(file, credential);
    const nodes = example.nodes.map(({ parameters = {}, ...node }) => ({
      ...node,
      parameters: { ...parameters, ...(parameters.pollTimes !== undefined && { pollTimes: quickPolls() }) },
    }));
    this.id = (await n8n.post<{ id: string }>('workflows', { ...example, nodes })).id;
    await publish(n8n, this.id);
    await untilPolled(n8n, this.id);
  }

  async archive(): Promise<void> {
    await this.#n8n().post(`workflows/${this.id}/archive`, {});
  }

  /** What a node output about the records of the story. No run may have failed. @param key of the record's id */
  async items(node: string, key = 'id'): Promise<Json[]> {
    const executions = await this.#n8n().endedExecutions(this.id);
    expect(executions.map(({ error }) => error)).toEqual(executions.map(() => undefined));
    const items = executions.flatMap((execution) => execution.items(node));
    return items.filter((item) => this.own.includes(String(item[key])));
  }
}
