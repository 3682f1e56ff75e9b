/** Part type codes (interface.md, "Part type codes"); `reference` is a reference part, shown as its source's type. */
export const partTypes = [
  'textbox',
  'textarea',
  'checkbox',
  'radio',
  'select',
  'listbox',
  'number',
  'date',
  'time',
  'datetime',
  'files',
  'expression',
  'richeditor',
  'users',
  'groups',
  'input_list',
  'rel_list',
  'reference',
  'id',
  'user',
] as const;

export type PartType = (typeof partTypes)[number];

/** Which system part a part is; the service fills these itself. */
export type SystemRole = 'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy';

/** Where a reference part or a reference list looks. It refers to parts by id, so renaming them changes nothing. */
export interface Link {
  /** The other application. If it no longer exists, this is a reference error. */
  readonly application: number;
  /** The part of this application (or row) whose value it looks for. */
  readonly key: number;
  /** The part of the other application in which it looks. */
  readonly match: number;
}

/** Copies values when `relookup_key_field` names its key part. */
interface Lookup extends Link {
  readonly copies: readonly { readonly from: number; readonly to: number }[];
}

/** One part of an application, as stored. */
export interface Part {
  readonly id: number;
  name: string;
  /** Part identifier; empty if it has none. */
  identifier: string;
  readonly type: PartType;
  readonly system?: SystemRole;
  readonly: boolean;
  required: boolean;
  options: string[];
  allowOther: boolean;
  /** Minutes. */
  timeUnit?: number;
  /** Auto calculation. */
  formula?: string;
  /** Reference part: the source part. */
  source?: Link & { readonly part: number };
  /** Reference list; its children name their source parts. */
  relation?: Link;
  lookup?: Lookup;
  /** Child of a reference list: part of the other application that it shows. */
  sourcePart?: number;
  /** Parts of a table part or a reference list. */
  children: Part[];
  /** Table part: id of the child part with the row id, if the dialect has one. */
  rowIdPart?: number;
}

/** One attached file, as a record's value contains it. Its bytes are stored separately. */
export interface StoredFile {
  readonly id: number;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** One row of a table part. */
export interface StoredRow {
  readonly id: number;
  readonly values: Values;
}

/** The stored result of an auto calculation. */
export interface Calculated {
  readonly result: string;
  /** What went wrong; the result is then empty. */
  readonly hint?: string;
}

/** A part's value in storage; an empty part has none. */
export type Stored = string | number | string[] | StoredFile[] | StoredRow[] | Calculated;

/** Values by part id. */
export type Values = Record<string, Stored | undefined>;

/** Whether a caller never sends the part's values (interface.md, "Value formats", write column). */
export function isComputed(part: Part): boolean {
  return (
    part.system !== undefined || ['id', 'user', 'expression', 'rel_list', 'reference'].includes(part.type)
  );
}
