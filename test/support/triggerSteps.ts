import type { PollSettings, RecordChange } from '../../nodes/ApplicationDataService/trigger/poll/context';
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
      /** The number of calls after which the poll's budget is used up. */
      readonly calls: number;
      /** The process ends before anything of the poll is saved or emitted. */
      readonly crashes: boolean;
    }
  /** The process ends, and the next one starts with the state that n8n saved last. */
  | { readonly kind: 'restart' };

/** What a history's trigger looks for. */
export interface HistorySettings extends PollSettings {
  /** IDs of the parts whose change counts as an update; none if every change does. */
  readonly watched: readonly string[];
}

/** A change that was given; `record` is `null` if it was given without its values. */
export type Given = Omit<RecordChange, 'record'> & { readonly record: Snapshot | null };

/** The same, and the poll that emitted it. */
export type Emitted = Given & { readonly poll: number };

/**
 * How n8n saves the trigger's state. The durable engine saves it when a poll returns, and drops it when a poll throws.
 */
export type Engine = 'usual' | 'durable';

/** What was expected and is missing, or was emitted and not expected. */
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
