import type { SimplifiedValue } from '../values/shapes';
import type { KeyMode, Part } from './part';

/** One part's value in a record or row as the service returns it (interface.md, "Part-value object keys"). */
export interface PartValueObject {
  readonly val?: unknown;
  /** `on` when this value cannot be changed. */
  readonly deny_write?: unknown;
  /** Calculation result type; auto-calculation parts only. */
  readonly type?: unknown;
  /** Calculation error content; auto-calculation parts in error only. */
  readonly hint?: unknown;
  /** `unauthorized`, `reference_error` or `under_maintenance`. */
  readonly error?: unknown;
}

/** People and groups by the names and e-mails that records give them. */
export interface Directory {
  /** IDs that go by a text, exactly as written; a text with @ is an e-mail. */
  idsOf(kind: 'users' | 'groups', text: string): readonly string[];
  /** Texts that are known, to suggest one from. */
  texts(kind: 'users' | 'groups'): Iterable<string>;
  /** Is told each choice, for the user to see. */
  chosen(kind: 'users' | 'groups', text: string, id: string): void;
}

/** What a write needs to know besides the value and the part. */
export interface WriteContext {
  /** Keys of child parts inside a table part. */
  readonly keyMode: KeyMode;
  /** IANA zone in which the service's dates and times stand; values with an offset are converted to it. */
  readonly timezone: string;
  /** Who goes by a name; absent where people and groups are taken by ID only. */
  readonly people?: Directory;
  /** Empty values were given by a language model, which must fill in every field: they leave a part as it is. */
  readonly emptyIsUnsaid?: boolean;
  /** A table part without a value keeps its rows; an empty list still stands for no rows. */
  readonly blankKeepsRows?: boolean;
  /**
   * The record or row as it stands, simplified: a choice that it holds may be given back although it is no longer offered.
   * `any` while the record is not known yet.
   */
  readonly stored?: Readonly<Record<string, unknown>> | 'any';
}

/** One row of a table part, ready to send. */
export interface RowWrite {
  /** Row id of an existing row; absent for a new one. */
  readonly id?: string;
  /** By child part, in the order they were given. */
  readonly values: readonly { readonly part: Part; readonly value: WriteValue }[];
}

/** A value ready to send (interface.md, "Value formats", write column). */
export type WriteValue =
  /** One form field; the empty text empties the part. `converted` when its meaning was adapted (e.g. a time zone). */
  | { readonly kind: 'text'; readonly text: string; readonly converted?: boolean }
  /** Names of binary fields to upload and ids of attachments to remove. */
  | { readonly kind: 'files'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly RowWrite[] }
  /** The part stays as it is, e.g. for attachments as a read returned them. */
  | { readonly kind: 'keep' };

/** How one part type is read, written and shown. One object a type, all in one table (`codecs.ts`). */
export interface PartCodec {
  /**
   * The simplified value of a part-value object; `null`, or `[]` for multi-valued types, when it is empty. Never
   * throws: a `val` of an unexpected shape is returned as it came rather than lost.
   * @param keyMode keys of child parts inside rows; absent or `null` where it is not known.
   */
  readonly read: (value: PartValueObject, part: Part, keyMode?: KeyMode | null) => SimplifiedValue;
  /**
   * The value to send. Absent for types that cannot be written.
   * @throws UserError when the value cannot be written; nothing else.
   */
  readonly write?: (value: unknown, part: Part, context: WriteContext) => WriteValue;
  /** The accepted values in words for the user, e.g. "a number". */
  readonly accepts: string;
  /** How the editor asks for a value: dates and times as text, n8n's date picker would add a time and a zone. */
  readonly editor: 'string' | 'number' | 'options';
  /** What the service can do with parts of this type (service-facts, "Keyword and sort"). */
  readonly sortable: boolean;
  readonly searchable: boolean;
  readonly filterable: boolean;
}
