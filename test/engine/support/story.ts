import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../../support/fakePollClock';
import { Sandbox, type ApplicationDefinition } from '../../support/sandbox';
import type { TriggerOptions } from '../../support/triggerEngine';
import { TICKETS, watchTickets } from '../../support/triggerTickets';
import { CAPABILITIES } from './capabilities';
import { named } from './each';
import { passes, type Step } from './storyActs';
import { activate, activation, fails, type Failure } from './storyPolls';

type Values = Readonly<Record<string, unknown>>;
/** They may be in groups, which mean nothing. */
type Steps = readonly (Step | readonly Step[])[];

/** A trigger that is activated, and what its polls give. What a story leaves out is as usual. */
interface Story {
  // What is there before.
  /** Changes to the application of the tickets (test/support/triggerTickets.ts). */
  readonly application?: Partial<ApplicationDefinition>;
  /** Switches of the sandbox (docs/dev/sandbox.md). */
  readonly dialect?: Values;
  readonly before?: Steps;

  // The trigger.
  /** Saved parameters, besides the application and all events. */
  readonly parameters?: Values;
  readonly options?: Values;
  /** The conditions. */
  readonly where?: readonly Values[];
  /** How n8n polls: the time that it allows, how it saves. */
  readonly engine?: TriggerOptions;
  /** Only newer versions of n8n say how long a poll may take. */
  readonly needsBudget?: boolean;

  // What happens.
  /** What activation gives; nothing if left out. `null`: the trigger is not activated before the steps. */
  readonly first?: readonly string[] | null;
  /** Why activation fails. */
  readonly refused?: Failure;
  readonly steps?: Steps;
}

/** The sandbox of a test file's stories. */
export function useDesk(): { readonly sandbox: Sandbox } {
  const desk = { sandbox: undefined as unknown as Sandbox };
  beforeAll(async () => void (desk.sandbox = await Sandbox.borrow()));
  afterAll(async () => await desk.sandbox.stop());
  return desk;
}

/** Stories by their names, which say what each shows; one may be its steps alone. */
type Stories = Readonly<Record<string, Story | Steps>>;

/** A story for each case (see `eachOf`). */
export const each =
  <const T>(cases: readonly T[]) =>
  (name: string, tell: (one: T) => Story | Steps): Stories =>
    named(name, cases, tell);

const isSteps = (story: Story | Steps): story is Steps => Array.isArray(story);

/**
 * Plays each story once, in n8n's own poll context against the sandbox.
 * @param common what all have that do not say otherwise
 */
export function testStories(desk: { readonly sandbox: Sandbox }, stories: Stories, common: Story = {}): void {
  for (const [name, told] of Object.entries(stories)) {
    const story: Story = { ...common, ...(isSteps(told) ? { steps: told } : told) };
    const isAble = story.needsBudget !== true || CAPABILITIES.pollBudget();
    (isAble ? test : test.skip)(name, async () => await play(story, desk.sandbox));
  }
}

async function play(story: Story, sandbox: Sandbox): Promise<void> {
  const { first = [], refused, before = [], steps = [], dialect } = story;
  const clock = new FakePollClock();
  await sandbox.reset();
  await passes(0)({ sandbox, clock });
  if (dialect !== undefined) await sandbox.setDialect(dialect);
  await sandbox.createApplication({ ...TICKETS, ...story.application });
  const filters = story.where && { filters: { condition: story.where } };
  const saved = { ...filters, ...(story.options && { options: story.options }), ...story.parameters };
  const trigger = watchTickets(sandbox, saved as INodeParameters, { clock, ...story.engine });
  const start = first === null ? [] : [refused ? fails(refused, activation) : activate(...first)];
  const all = [...before, ...start, ...steps].flat();
  for (const [index, step] of all.entries())
    try {
      await step({ sandbox, trigger, clock });
    } catch (error) {
      (error as Error).stack = `Step ${index + 1} of ${all.length}: ${(error as Error).stack}`;
      throw error;
    }
}
