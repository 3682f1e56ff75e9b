import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';

import type { Demo } from './demo';
import { PATIENCE } from './patience';

type Json = Record<string, unknown>;

/** The output of the nodes of a finished execution. */
export interface Execution {
  readonly id: string;
  readonly status: string;
  /** Message and description of the error that ended it. */
  readonly error: { readonly message: string; readonly description?: string } | undefined;
  /** The items of the last node. */
  readonly output: Json[];
  /** The items that a node output in its last run, of all its outputs. */
  items(node: string): Json[];
  /** Where n8n keeps a binary field of a node's first item. */
  binary(node: string, field: string): Binary | undefined;
}

export interface Binary {
  readonly id: string;
  readonly fileName: string;
}

interface Item {
  readonly json: Json;
  readonly binary?: Readonly<Record<string, Binary>>;
}

interface RunData {
  readonly resultData: {
    readonly error?: { message: string; description?: string };
    readonly lastNodeExecuted?: string;
    readonly runData: Record<string, { data?: { main: (Item[] | null)[] } }[]>;
  };
}

/** A trigger that has run, as n8n records it. */
const TRIGGERED = {
  startTime: 0,
  executionTime: 0,
  executionIndex: 0,
  executionStatus: 'success',
  source: [],
} as const;

/** The cookie and the browser id of one login. */
export interface Session {
  readonly cookie: string;
  readonly browserId: string;
}

/** n8n's REST interface, logged in as the demo's owner. */
export class N8n {
  readonly #url: string;
  readonly #session: Session;

  constructor(url: string, session: Session) {
    this.#url = url;
    this.#session = session;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#request('GET', path)) as T;
  }

  async post<T>(path: string, body: object): Promise<T> {
    return (await this.#request('POST', path, body)) as T;
  }

  async patch<T>(path: string, body: object): Promise<T> {
    return (await this.#request('PATCH', path, body)) as T;
  }

  async delete(path: string): Promise<void> {
    await this.#request('DELETE', path);
  }

  /**
   * Runs a workflow from one of its triggers by hand and waits for its end, successful or not.
   * @param item the trigger's output item, if it would otherwise wait for an event such as a message
   */
  async run(workflowId: string, trigger: string, item?: Json): Promise<Execution> {
    return await this.reached(await this.start(workflowId, trigger, item));
  }

  /**
   * Starts a workflow from one of its triggers by hand.
   * @returns the id of the execution
   */
  async start(workflowId: string, trigger: string, item?: Json): Promise<string> {
    const data = item && { ...TRIGGERED, data: { main: [[{ json: item }]] } };
    const { executionId } = await this.post<{ executionId: string }>(`workflows/${workflowId}/run`, {
      triggerToStartFrom: { name: trigger, ...(data && { data }) },
    });
    return executionId;
  }

  /** Waits until an execution has a status that `isReached` accepts; by default, one in which it has ended. */
  async reached(
    executionId: string,
    isReached: (status: string) => boolean = hasEnded,
    timeout = PATIENCE,
  ): Promise<Execution> {
    for (const deadline = Date.now() + timeout; ; await sleep(200)) {
      const { status, data } = await this.#execution(executionId);
      if (isReached(status)) return readExecution(executionId, status, parse(data) as RunData);
      if (Date.now() >= deadline)
        throw new Error(`After ${timeout / 1000} s, the status of execution ${executionId} is "${status}".`);
    }
  }

  /** The executions of a workflow that have ended, successful or not, oldest first. n8n returns at most 100. */
  async endedExecutions(workflowId: string): Promise<Execution[]> {
    const executions: Execution[] = [];
    for (const { id, status: now } of await this.executions(workflowId)) {
      if (!hasEnded(now)) continue;
      const { status, data } = await this.#execution(id);
      executions.push(readExecution(id, status, parse(data) as RunData));
    }
    return executions;
  }

  /** All executions of a workflow, also those that run, oldest first. n8n returns at most 100. */
  async executions(workflowId: string): Promise<{ id: string; status: string }[]> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    const { results } = await this.get<{ results: { id: string; status: string }[] }>(
      `executions?filter=${filter}&limit=100`,
    );
    return results.sort((a, b) => Number(a.id) - Number(b.id));
  }

  /** The text of a file that an execution has created. */
  async download({ id }: Binary): Promise<string> {
    const response = await this.#fetch('GET', `binary-data?action=download&id=${encodeURIComponent(id)}`);
    return await response.text();
  }

  async #execution(id: string): Promise<{ status: string; data: string }> {
    return await this.get(`executions/${id}`);
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(method, path, body);
    return ((await response.json()) as { data: unknown }).data;
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${this.#url}/rest/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'browser-id': this.#session.browserId,
        cookie: this.#session.cookie,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`);
    }
    return response;
  }
}

/** n8n allows few logins a minute, so a whole run uses one. */
export async function logIn({
  n8nUrl,
  email,
  password,
}: Pick<Demo, 'n8nUrl' | 'email' | 'password'>): Promise<Session> {
  const browserId = randomUUID();
  const response = await fetch(`${n8nUrl}/rest/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'browser-id': browserId },
    body: JSON.stringify({ emailOrLdapLoginId: email, password }),
  });
  if (!response.ok)
    throw new Error(`The login was answered with ${response.status}: ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { browserId, cookie: cookies.join('; ') };
}

function hasEnded(status: string): boolean {
  return !['new', 'running', 'waiting'].includes(status);
}

function readExecution(id: string, status: string, { resultData }: RunData): Execution {
  const itemsOf = (node: string) => {
    const outputs = resultData.runData[node]?.at(-1)?.data?.main ?? [];
    return outputs.flatMap((items) => items ?? []);
  };
  return {
    id,
    status,
    error: resultData.error,
    output: itemsOf(resultData.lastNodeExecuted ?? '').map(({ json }) => json),
    items: (node) => itemsOf(node).map(({ json }) => json),
    binary: (node, field) => itemsOf(node)[0]?.binary?.[field],
  };
}
