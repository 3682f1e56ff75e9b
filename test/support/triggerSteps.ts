import type { Change } from '../../nodes/ApplicationDataService/trigger/poll/settings';
import type { Happening, Snapshot } from './triggerHappenings';

/** One step of a history. */
export type Step =
  | { readonly kind: 'happen'; readonly happenings: readonly Happening[] }
  | {
      readonly kind: 'poll';
      readonly during: readonly Happening[];
      /** Number of the call that fails. */
      readonly failAt: number | null;
      readonly failsOn: boolean;
      /** Calls after which the poll's budget is used up. */
      readonly calls: number;
      /** The process ends before anything of the poll was saved or given. */
      readonly crashes: boolean;
    }
  /** The process ends; what n8n saved last is what the next one begins with. */
  | { readonly kind: 'restart' };

/** A change as it was emitted, and when. `record` is `null` where it came without its values. */
export type Emitted = Change<Snapshot> & { readonly poll: number };

/** How n8n keeps what a trigger remembers: the durable engine saves each poll that returns, and drops one that throws. */
export type Engine = 'usual' | 'durable';

/** What was expected and did not come, or came and was not expected. */
export type Complaint = string;

/** A poll in which nothing happens. */
export const QUIET: Extract<Step, { kind: 'poll' }> = {
  kind: 'poll',
  during: [],
  failAt: null,
  failsOn: false,
  calls: Infinity,
  crashes: false,
};
