import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../../support/fakePollClock';
import { Sandbox, type ApplicationDefinition } from '../../support/sandbox';
import type { Between, SentCall, TriggerEngine, TriggerOptions } from '../../support/triggerEngine';
import { inWords, TICKETS, watchTickets } from '../../support/triggerTickets';

/** What is there during a story: the service, and the trigger that watches its tickets. */
export interface Desk {
  readonly sandbox: Sandbox;
  readonly trigger: TriggerEngine;
}

/** Something that happens before a poll. Returns the items if it polls by itself. */
export type Act = (desk: Desk) => unknown;

/**
 * What happens, and what the poll after it gives, as `updated 1 (1 to 2)`; a pattern is of the error of that poll, and
 * of the warnings until then if the poll succeeds.
 */
type Step = readonly [Act | null, ...(string | RegExp)[]];

/** A trigger that is activated, and what its polls give. */
export interface Story {
  readonly name: string;
  readonly application?: Partial<ApplicationDefinition>;
  readonly dialect?: Readonly<Record<string, unknown>>;
  /** Saved parameters of the node. */
  readonly parameters?: INodeParameters;
  /** What to narrow by in addition. */
  readonly where?: readonly INodeParameters[];
  readonly options?: TriggerOptions;
  /** What is to be done before it is activated. */
  readonly before?: Act;
  /** What activation gives, or why it fails; nothing if left out. */
  readonly first?: readonly string[] | RegExp;
  readonly steps?: readonly Step[];
  readonly after?: Act;
}

/** The sandbox of a test file's stories. */
export function useDesk(): { readonly sandbox: Sandbox } {
  const desk = { sandbox: undefined as unknown as Sandbox };
  beforeAll(async () => void (desk.sandbox = await Sandbox.borrow()));
  afterAll(async () => await desk.sandbox.stop());
  return desk;
}

export function testStories(
  desk: { readonly sandbox: Sandbox },
  stories: readonly Story[],
  common: Partial<Story> = {},
): void {
  test.each(stories.map((story) => [story.name, { ...common, ...story }] as const))(
    '%s',
    async (_, story) => {
      const { sandbox } = desk;
      await sandbox.reset();
      if (story.dialect !== undefined) await sandbox.setDialect(story.dialect);
      await sandbox.createApplication({ ...TICKETS, ...story.application });
      const filters = story.where && { filters: { condition: [...story.where] } };
      const options = { clock: new FakePollClock(), ...story.options };
      const trigger = watchTickets(sandbox, { ...filters, ...story.parameters }, options);
      await story.before?.({ sandbox, trigger });
      await comesTo(trigger, async () => await trigger.activate(), story.first ?? []);
      for (const [act, ...words] of story.steps ?? [])
        await comesTo(
          trigger,
          async () => (await act?.({ sandbox, trigger })) ?? (await trigger.poll()),
          words,
        );
      await story.after?.({ sandbox, trigger });
    },
  );
}

async function comesTo(
  trigger: TriggerEngine,
  poll: () => Promise<unknown>,
  expected: readonly (string | RegExp)[] | RegExp,
): Promise<void> {
  const list: readonly (string | RegExp)[] = expected instanceof RegExp ? [expected] : expected;
  const words = list.filter((each) => typeof each === 'string');
  const pattern = list.find((each) => each instanceof RegExp);
  const outcome = await poll().then(
    (items) => ({ words: inWords(items as object[]), said: trigger.warnings.join('\n') }),
    ({ message }: Error) => ({ words: [], said: message, message }),
  );
  expect(outcome).toEqual({
    words,
    said: expect.stringMatching(pattern ?? /^/) as string,
    ...('message' in outcome && pattern !== undefined && { message: expect.any(String) as string }),
  });
}

export const set =
  (id: string, values: Readonly<Record<string, unknown>>): Act =>
  async ({ sandbox }) =>
    void (await sandbox.changeRecord('tickets', id, values));
export const add =
  (...records: readonly Readonly<Record<string, unknown>>[]): Act =>
  async ({ sandbox }) =>
    void (await sandbox.addRecords('tickets', records));
export const remove =
  (...ids: readonly string[]): Act =>
  async ({ sandbox }) => {
    for (const id of ids) await sandbox.removeRecord('tickets', id);
  };
export const all =
  (...acts: readonly Act[]): Act =>
  async (desk) => {
    for (const act of acts) await act(desk);
  };
/** Answers in place of the service's. */
export const answers =
  (answer: NonNullable<Between['answer']>): Act =>
  ({ trigger }) =>
    void (trigger.between = { answer });
/** The service answers again. */
export const itself: Act = ({ trigger }) => void (trigger.between = {});
/** n8n starts again, after the parameters were changed. */
export const restart =
  (parameters: INodeParameters = {}): Act =>
  async ({ trigger }) => {
    trigger.parameters = { ...trigger.parameters, ...parameters };
    return await trigger.restart();
  };
/** Several polls. A poll that fails gives nothing. */
export const polls =
  (count: number, act?: Act): Act =>
  async (desk) => {
    await act?.(desk);
    const items: IDataObject[] = [];
    for (let each = 0; each < count; each++) items.push(...(await desk.trigger.poll().catch(() => [])));
    return items;
  };
export const rights =
  (given: Readonly<Record<string, unknown>>): Act =>
  async ({ sandbox }) =>
    void (await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'all', ...given } } }));
/** The trigger has the key of a user with limited rights. */
export const limited: Act = ({ trigger }) =>
  void (trigger.credential = { ...trigger.credential, accessKey: 'sandbox-key-tanaka' });
export const change =
  (what: Parameters<Sandbox['changeApplication']>[1], application = 'tickets'): Act =>
  async ({ sandbox }) =>
    void (await sandbox.changeApplication(application, what));
/** Single reads, of these records or of all, fail with HTTP 500. */
export const failing = (...ids: readonly string[]): Act =>
  answers(({ action, form }: SentCall) =>
    action === 'get_data' && (ids.length === 0 || ids.includes(form.get('data_id')!))
      ? { statusCode: 500, body: '' }
      : undefined,
  );
