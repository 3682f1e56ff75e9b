import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../support/sandbox';
import type { N8n } from './n8n';
import { eventually } from './patience';
import { publish, unpublish, untilPolled } from './published';
import { BEHIND_TRIGGER, POLL_EVERY_MS, triggerWorkflow, type WatchedApplication } from './trigger-workflow';
import type { CredentialName } from './workflow';

type Json = Record<string, unknown>;

/** A workflow that the trigger starts. n8n and the sandbox may have been restarted between two calls. */
export class WatchedCustomers {
  readonly #n8n: () => N8n;
  readonly #sandbox: () => Sandbox;
  readonly #watched: WatchedApplication | undefined;
  #id = '';

  /** @param watched another application than the customers, and how to watch it */
  constructor(n8n: () => N8n, sandbox: () => Sandbox, watched?: WatchedApplication) {
    this.#n8n = n8n;
    this.#sandbox = sandbox;
    this.#watched = watched;
  }

  get workflowId(): string {
    return this.#id;
  }

  /** Saves and activates the workflow. Resolves when its trigger has polled once. */
  async activate(credential: CredentialName): Promise<void> {
    const n8n = this.#n8n();
    const workflow = triggerWorkflow(credential, this.#watched);
    this.#id = (await n8n.post<{ id: string }>('workflows', workflow)).id;
    await publish(n8n, this.#id);
    await untilPolled(n8n, this.#id);
  }

  async deactivate(): Promise<void> {
    await unpublish(this.#n8n(), this.#id);
  }

  /** The state that n8n has saved for the trigger; `null` before the first poll. */
  async remembered(): Promise<unknown> {
    return (await this.#n8n().get<{ staticData: unknown }>(`workflows/${this.#id}`)).staticData;
  }

  /** The items of the node behind the trigger, in all executions since the workflow was activated. */
  async changes(): Promise<Json[]> {
    const executions = await this.#n8n().endedExecutions(this.#id);
    return executions.flatMap((execution) => execution.items(BEHIND_TRIGGER));
  }

  /** Waits for as many changes, then for more polls, and expects these changes and no others, in any order. */
  async expectChanges(expected: readonly Json[]): Promise<void> {
    await eventually(
      async () => await this.changes(),
      ({ length }) => expect(length).toBeGreaterThanOrEqual(expected.length),
    );
    const since = await this.#sandbox().lastCall();
    await sleep(2 * POLL_EVERY_MS);

    const polls = async () =>
      (await this.#sandbox().log(since)).filter(({ action }) => action === 'list_data').length;
    await eventually(polls, (count) => expect(count).toBeGreaterThanOrEqual(2));
    const changes = await this.changes();
    expect(changes).toHaveLength(expected.length);
    expect(changes).toEqual(
      expect.arrayContaining(expected.map((change) => expect.objectContaining(change) as unknown)),
    );
  }
}
