import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../../support/fakePollClock';
import { Sandbox, type ApplicationDefinition } from '../../support/sandbox';
import type { TriggerOptions } from '../../support/triggerEngine';
import { TICKETS, watchTickets } from '../../support/triggerTickets';
import { CAPABILITIES } from './capabilities';
import { passes, type Step } from './storyActs';
import { activate, activation, fails, type Failure } from './storyPolls';

/** They may be in groups, which mean nothing. */
type Steps = readonly (Step | readonly Step[])[];

/** A trigger that is activated, and what its polls give. */
export interface Story {
  /** What the story shows. */
  readonly name: string;

  // What is there before.
  /** Changes to the application of the tickets (test/support/triggerTickets.ts). */
  readonly application?: Partial<ApplicationDefinition>;
  /** Switches of the sandbox (docs/dev/sandbox.md). */
  readonly dialect?: Readonly<Record<string, unknown>>;
  readonly before?: Steps;

  // The trigger.
  /** Saved parameters, besides the application and all events. */
  readonly parameters?: INodeParameters;
  readonly options?: INodeParameters;
  /** The conditions. */
  readonly where?: readonly INodeParameters[];
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

/**
 * Plays each story once, in n8n's own poll context against the sandbox.
 * @param common what all have that do not say otherwise
 */
export function testStories(
  at: { readonly sandbox: Sandbox },
  stories: readonly Story[],
  common: Partial<Story> = {},
): void {
  for (const each of stories) {
    const story = { ...common, ...each };
    const isAble = story.needsBudget !== true || CAPABILITIES.pollBudget();
    (isAble ? test : test.skip)(story.name, async () => await play(story, at.sandbox));
  }
}

async function play(story: Story, sandbox: Sandbox): Promise<void> {
  const { first = [], refused, before = [], steps = [], dialect } = story;
  const clock = new FakePollClock();
  await sandbox.reset();
  await passes(0)({ sandbox, clock });
  if (dialect !== undefined) await sandbox.setDialect(dialect);
  await sandbox.createApplication({ ...TICKETS, ...story.application });
  const filters = story.where && { filters: { condition: [...story.where] } };
  const options = story.options && { options: story.options };
  const engine = { clock, ...story.engine };
  const trigger = watchTickets(sandbox, { ...filters, ...options, ...story.parameters }, engine);
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
