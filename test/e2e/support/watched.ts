import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../support/sandbox';
import type { N8n } from './n8n';
import { eventually } from './patience';
import { BEHIND_TRIGGER, POLL_EVERY_MS, triggerWorkflow, type WatchedApplication } from './trigger-workflow';
import type { CredentialName } from './workflow';

type Json = Record<string, unknown>;

/** What can be asked of a workflow that the trigger starts; both may have been started anew since the last time. */
export class WatchedCustomers {
  readonly #n8n: () => N8n;
  readonly #sandbox: () => Sandbox;
  readonly #watched: WatchedApplication | undefined;
  #id = '';

  /** @param watched another application than the customers, and how it is watched */
  constructor(n8n: () => N8n, sandbox: () => Sandbox, watched?: WatchedApplication) {
    this.#n8n = n8n;
    this.#sandbox = sandbox;
    this.#watched = watched;
  }

  get workflowId(): string {
    return this.#id;
  }

  /** Saves the workflow and activates it; its trigger has polled once when this resolves. */
  async activate(credential: CredentialName): Promise<void> {
    const workflow = await this.#n8n().post<{ id: string; versionId: string }>(
      'workflows',
      triggerWorkflow(credential, this.#watched),
    );
    this.#id = workflow.id;
    await this.#n8n().post(`workflows/${this.#id}/activate`, { versionId: workflow.versionId });
    // n8n answers before the trigger has polled for the first time: what it remembers is there once it has.
    await eventually(
      async () => await this.remembered(),
      (remembered) => expect(remembered).not.toBeNull(),
    );
  }

  async deactivate(): Promise<void> {
    await this.#n8n().post(`workflows/${this.#id}/deactivate`, {});
  }

  /** What n8n has saved for the trigger, `null` before its first poll. */
  async remembered(): Promise<unknown> {
    return (await this.#n8n().get<{ staticData: unknown }>(`workflows/${this.#id}`)).staticData;
  }

  /** What the node behind the trigger was given, over all executions since the workflow was activated. */
  async changes(): Promise<Json[]> {
    const executions = await this.#n8n().endedExecutions(this.#id);
    return executions.flatMap((execution) => execution.items(BEHIND_TRIGGER));
  }

  /** Waits for as many changes, lets more polls pass, and expects these changes and no other, in any order. */
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
    const given = await this.changes();
    expect(given).toHaveLength(expected.length);
    expect(given).toEqual(
      expect.arrayContaining(expected.map((change) => expect.objectContaining(change) as unknown)),
    );
  }
}
