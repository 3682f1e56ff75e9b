/** What fails of a record, for good: to read it, to list it, or to get its file. */
export type Breakage = 'read' | 'list' | 'file' | 'nothing';

/** What can happen to the records of a world (triggerWorld.ts). Numbers choose among the records there are. */
export type Happening =
  | { readonly kind: 'create'; readonly matches: boolean; readonly secret?: boolean }
  /** `watched`: a watched part changes; `quiet`: the date/time of the last change does not move. */
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
  /** Whether it meets the filter. */
  matches: boolean;
  updated: number;
  broken: Breakage;
  /** Only one of the two keys shows it. */
  readonly isSecret: boolean;
}

/** How the records were when one was read. */
export type Snapshot = Readonly<WorldRecord>;

/**
 * What a list does that is asked for from an ID on: IDs are compared as numbers or as texts, some records are left out, or it
 * is not understood: then every list is the first page, the last one, or empty.
 */
export type FromId = 'numbers' | 'texts' | 'holes' | 'ignored' | 'last' | 'nothing' | 'refused';

/** How the world's lists behave. */
export interface WorldKind {
  readonly narrowed: boolean;
  /** Lists come in order of ids; otherwise in an order of their own. */
  readonly ascending: boolean;
  /** Ids grow; otherwise new ones may fall between. */
  readonly growing: boolean;
  readonly listsWhole: boolean;
  readonly takesIds: boolean;
  readonly fromId: FromId;
  readonly hasNewest: boolean;
  /** Milliseconds that a list takes for each of its records. */
  readonly msPerRecord: number;
}
