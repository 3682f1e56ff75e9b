import type { INodeParameters } from 'n8n-workflow';

import type { Fault, Sandbox } from '../../support/sandbox';
import type { FakePollClock } from '../../support/fakePollClock';
import type { Between, TriggerEngine } from '../../support/triggerEngine';
import { BROKEN, isList, isOfOne, isRead, NOTHING, ok } from './triggerCalls';

type Values = Readonly<Record<string, unknown>>;

/** What is there during a story: the service, the trigger that watches its tickets, and the trigger's clock. */
export interface Desk {
  readonly sandbox: Sandbox;
  readonly trigger: TriggerEngine;
  readonly clock: FakePollClock;
}

/**
 * What somebody does and what the service answers from now on (below), or a poll and what it gives
 * (storyPolls.ts). A function where these do not do.
 */
export type Step = (desk: Desk) => unknown;
// What somebody does.

export const set =
  (ids: string | readonly string[], values: Values, how?: { readonly quietly: true }): Step =>
  async ({ sandbox }) => {
    for (const id of [ids].flat()) await sandbox.changeRecord('tickets', id, values, how);
  };
export const add =
  (...records: readonly Values[]): Step =>
  async ({ sandbox }) =>
    await sandbox.addRecords('tickets', records);
export const remove =
  (...ids: readonly string[]): Step =>
  async ({ sandbox }) => {
    for (const id of ids) await sandbox.removeRecord('tickets', id);
  };
export const change =
  (what: Parameters<Sandbox['changeApplication']>[1], application = 'tickets'): Step =>
  async ({ sandbox }) =>
    await sandbox.changeApplication(application, what);
const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
/** Tickets whose town comes from another application, by a key in `Link`: `k` for Kyoto, `n` for Nara. */
export const linked =
  (records: readonly Values[]): Step =>
  async ({ sandbox }) => {
    await sandbox.removeApplication('tickets');
    const { id } = await sandbox.createApplication({
      ...{ name: 'Source', identifier: 'source', parts: textboxes('Key', 'Town') },
      records: ['k Kyoto', 'n Nara'].map((text) => ({ Key: text[0], Town: text.slice(2) })),
    });
    const reference = { application: id, key: 'Link', match: 'Key', part: 'Town' };
    const parts = [...textboxes('Title', 'Link'), { name: 'Town', type: 'reference', reference }];
    await sandbox.createApplication({ name: 'Tickets', identifier: 'tickets', parts, records });
  };
/** The status of that application. */
export const source = (status: 'running' | 'maintenance'): Step => change({ status }, 'source');
/** What the user may do whose key {@link limited} sets. */
export const rights =
  (given: Values): Step =>
  async ({ sandbox }) =>
    await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'all', ...given } } });
const key =
  (accessKey?: string): Step =>
  ({ trigger, sandbox }) =>
    void (trigger.credential = { ...trigger.credential, accessKey: accessKey ?? sandbox.accessKey });
export const limited = key('sandbox-key-tanaka');
export const full = key();
/** Another credential of n8n is selected, for which n8n starts the trigger again later. */
export const otherCredential =
  (id: string): Step =>
  ({ trigger }) =>
    void (trigger.credentialId = id);
/** The parameters are changed, for which n8n starts the trigger again later. */
export const reset =
  (parameters: Values): Step =>
  ({ trigger }) =>
    void (trigger.parameters = { ...trigger.parameters, ...(parameters as INodeParameters) });
/** Time passes, for the trigger and for the service. */
export const passes =
  (milliseconds: number) =>
  async ({ clock, sandbox }: Pick<Desk, 'clock' | 'sandbox'>): Promise<void> => {
    clock.leap(milliseconds);
    await sandbox.setClock(new Date(clock.now()).toISOString());
  };

// What the service does from now on, until another of these.

export const between =
  (what: Between): Step =>
  ({ trigger }) =>
    void (trigger.between = what);
export const answers = (answer: NonNullable<Between['answer']>): Step => between({ answer });
export const takes = (cost: NonNullable<Between['cost']>): Step => between({ cost });
/** It answers again. */
export const itself = between({});
/** One list is answered with "no matching data", after so many others. */
export const oneEmptyList =
  (after: number): Step =>
  (at) => {
    let lists = 0;
    return answers((call) => (isList(call) && lists++ === after ? NOTHING : undefined))(at);
  };
/** Reads show a record otherwise than lists do. */
export const readsShow =
  (id: string, values: Values): Step =>
  async (desk) => {
    const { record } = await desk.sandbox.call('get_data', { app_id: '@tickets', data_id: id });
    const shown = ok({ record: { ...(record as object), ...values } });
    await answers((call) => (isRead(call, id) ? shown : undefined))(desk);
  };
/** Each of these records, or of all, fails with HTTP 500 where it is read alone. */
export const failing = (...ids: readonly string[]): Step =>
  answers((call) => (isOfOne(call, ...ids) ? BROKEN : undefined));
/** Faults of the sandbox (docs/dev/sandbox.md, "Faults"); without any, there are none any more. */
export const faults =
  (...list: readonly Fault[]): Step =>
  async ({ sandbox }) =>
    await sandbox.setFaults(list);
