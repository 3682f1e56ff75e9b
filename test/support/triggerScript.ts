import type { PollSettings, RecordChange } from '../../nodes/ApplicationDataService/trigger/poll/context';

// What random histories of a trigger are made of.

/** What always fails for a record: reading it, or downloading its file. */
export type Breakage = 'read' | 'file' | 'nothing';

/** What can happen to the records of a world (triggerWorld.ts). A number chooses one of the existing records. */
export type Happening =
  | { readonly kind: 'create'; readonly matches: boolean; readonly secret?: boolean }
  /** `watched`: a watched part changes; `quiet`: the date/time of the last change stays the same. */
  | { readonly kind: 'change'; readonly which: number; readonly watched: boolean; readonly quiet: boolean }
  | { readonly kind: 'delete' | 'move'; readonly which: number }
  | { readonly kind: 'break'; readonly which: number; readonly what: Breakage }
  | { readonly kind: 'maintenance'; readonly isOver: boolean }
  | { readonly kind: 'key'; readonly seesSecrets: boolean }
  | { readonly kind: 'minute' };

/** A record of the world. `watched` is the value of its watched part. */
export interface WorldRecord {
  readonly id: string;
  revision: number;
  watched: number;
  /** Whether the record meets the filter. */
  matches: boolean;
  updated: number;
  broken: Breakage;
  /** Whether only one of the two keys shows the record. */
  readonly isSecret: boolean;
}

/** A copy of a record at one time. */
export type Snapshot = Readonly<WorldRecord>;

/** How the world's lists behave. */
export interface WorldKind {
  readonly narrowed: boolean;
  /** Ids grow; otherwise new ones may lie between existing ones. */
  readonly growing: boolean;
  readonly takesIds: boolean;
  /** Milliseconds that a list takes for each of its records. */
  readonly msPerRecord: number;
}

/** A poll, and what happens to it. */
export interface PollStep {
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

/** One step of a history. At a restart, the next process starts with the state that n8n saved last. */
export type ScriptStep =
  | PollStep
  | { readonly kind: 'happen'; readonly happenings: readonly Happening[] }
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
export type Saving = 'usual' | 'durable';
