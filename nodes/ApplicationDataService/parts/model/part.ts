import type { SimplifiedValue } from '../values/shapes';

/** A normalized part definition of `get_app` (interface.md, "Part definition"). */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly identifier: string;
  /** Part type code, e.g. `textbox`; of a reference part the source part's, `rel_field` on a reference error. */
  readonly type: string;
  readonly readOnly: boolean;
  /** Whether the service itself created the part. For a reference part, the flag of the source part. */
  readonly system: boolean;
  readonly reference: boolean;
  readonly options: readonly string[];
  readonly allowOther: boolean;
  readonly timeUnit: number | null;
  readonly children: readonly Part[];
  readonly codec: PartCodec;
}

/** Whether the application keys part values by part name or by part identifier (interface.md, convention 5). */
export type KeyMode = 'name' | 'identifier';

/** One part's value in a record or row as the service returns it (interface.md, "Part-value object keys"). */
export interface PartValueObject {
  readonly val?: unknown;
  readonly type?: unknown;
  readonly hint?: unknown;
  readonly error?: unknown;
}

/** Whom a part of people holds. */
export type MemberKind = 'users' | 'groups';

export interface Directory {
  /** IDs with exactly this name. A text with @ is an e-mail address. */
  idsOf(kind: MemberKind, text: string): readonly string[];
  texts(kind: MemberKind): Iterable<string>;
  chosen(kind: MemberKind, text: string, id: string): void;
}

export interface WriteContext {
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
  /** Told of a date that conversion to a zone that nobody chose puts on another day than as it was given. */
  readonly onMovedDay?: ((part: Part) => void) | undefined;
  /** The IDs that belong to a name; absent as long as they are not looked up. */
  readonly people?: Directory;
  /** Whether empty values come from a language model, which must fill in every field. They leave a part unchanged. */
  readonly emptyIsOmitted?: boolean;
  /** A table part without a value keeps its rows. An empty list still means no rows. */
  readonly blankKeepsRows?: boolean;
}

export interface RowWrite {
  readonly id?: string;
  readonly values: readonly { readonly part: Part; readonly value: WriteValue }[];
}

/** A value ready to send (interface.md, "Value formats", write column). */
export type WriteValue =
  /** One form field; the empty text empties the part. `unoffered` choices are kept where a record holds them only. */
  | { readonly kind: 'text'; readonly text: string; readonly unoffered?: readonly string[] }
  | { readonly kind: 'files'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly RowWrite[] }
  /** All rows or files of the part go, whatever else is wanted of them. */
  | { readonly kind: 'empty' }
  /** The part stays as it is. `files` that were read are only described: a new record cannot have them. */
  | { readonly kind: 'keep'; readonly files?: number };

export const KEEP: WriteValue = { kind: 'keep' };

/** How values compare: numbers, dates and times by value, others by their text (parameters.md, "Settled questions"). */
export type ValueKind = 'text' | 'number' | 'date' | 'time' | 'datetime';

/** How one part type is read, written, compared and shown; no other code knows the types (`codecs.ts` has them all). */
export interface PartCodec {
  /** The type as the editor names it (interface.md, "Part type codes"); absent for an unknown type. */
  readonly label?: string;
  /** Simplified; `null` or `[]` when empty. Never throws: what has an unexpected shape is returned as it came. */
  readonly read: (value: PartValueObject, part: Part, keyMode?: KeyMode | null) => SimplifiedValue;
  /** Absent for types that cannot be written. @throws UserError when the value cannot be written; nothing else */
  readonly write?: (value: unknown, part: Part, context: WriteContext) => WriteValue;
  readonly accepts: string;
  /**
   * The form of values in a word, if not obvious: n8n cuts longer labels. Fields take text: n8n's own for dates and
   * numbers change what is typed.
   */
  readonly form?: string;
  /** What the service can do with parts of this type (service-facts, "Keyword and sort"). */
  readonly sortable?: true;
  readonly searchable?: true;
  readonly filterable?: true;
  /** How values compare, `text` if absent; `result`: each by the type that the service gives it. */
  readonly compares?: Exclude<ValueKind, 'text'> | 'result';
  readonly maxLength?: number;
  readonly multiline?: true;
  readonly choices?: 'one' | 'several';
  readonly members?: MemberKind;
  /** What the values are, if they are no plain ones: `references` are rows of another application. */
  readonly content?: 'id' | 'files' | 'rows' | 'references';
}

export const EVERY_USE = { sortable: true, searchable: true, filterable: true } as const;

/** Whether a value of a part consists of several, in any order, each of which counts as a whole. */
export function isSeveral({ codec }: Pick<Part, 'codec'>): boolean {
  return codec.choices === 'several' || codec.members !== undefined;
}
