/** What always fails for a record: reading it, or downloading its file. */
export type Breakage = 'read' | 'file' | 'nothing';

/** What can happen to the records of a world (triggerWorld.ts). A number chooses one of the existing records. */
export type Happening =
  | { readonly kind: 'create'; readonly matches: boolean; readonly secret?: boolean }
  /** `watched`: a watched part changes; `quiet`: the date/time of the last change stays the same. */
  | { readonly kind: 'change'; readonly which: number; readonly watched: boolean; readonly quiet: boolean }
  | { readonly kind: 'delete'; readonly which: number }
  | { readonly kind: 'move'; readonly which: number }
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
