import type { Dialect } from '../settings/switches.ts';
import type { Part, Stored, StoredFile } from './part.ts';

/** Names of people, to write and to check ids. */
export interface People {
  userName(id: string): string | undefined;
  groupName(id: string): string | undefined;
}

/** What reading a value needs in addition to the value. */
export interface ReadContext {
  readonly dialect: Dialect;
  readonly people: People;
  /** The download address of one file of a part. */
  fileUrl(part: Part, file: StoredFile): string;
}

/** A value that the part cannot contain. The message is the end of a sentence that begins with the part's name. */
export class InvalidValue extends Error {}

/** What filter, keyword and sort may do with a part type (service facts, "Keyword and sort, by part type"). */
export interface Traits {
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** The value is a set of choices: `contains` compares whole members, `=` the whole set. */
  readonly set: boolean;
}

/** One part type: how its values are checked, written to answers and compared. */
export interface PartKind {
  readonly traits: Traits;
  /**
   * Reads the text of a `{{part}}` parameter; `undefined` empties the part.
   * Absent for types that are not sent as text (files, table parts) or not at all.
   * @throws {@link InvalidValue}
   */
  parse?(text: string, part: Part, people: People): Stored | undefined;
  /** The `val` of the part-value object. */
  render(value: Stored | undefined, part: Part, context: ReadContext): unknown;
  /**
   * The values that filters and sorting compare; empty for an empty value. With `byId`, ids of people instead of names.
   */
  keys(value: Stored | undefined, people: People, byId: boolean): readonly (string | number)[];
  /** The texts in which keywords and `contains` search. */
  texts(value: Stored | undefined, people: People): readonly string[];
  /**
   * Reads one value of a filter condition so that it compares with {@link keys}.
   * @throws {@link InvalidValue}
   */
  operand(text: string): string | number;
}
