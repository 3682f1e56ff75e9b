import type { Part, PartType } from '../parts/part.ts';
import type { ApplicationStatus } from '../storage/applications.ts';

/** An application as control and the samples define it. It refers to parts by their names. */
export interface ApplicationDefinition {
  readonly name: string;
  readonly identifier?: string;
  readonly status?: ApplicationStatus;
  /** HTML source. */
  readonly overview?: string;
  /** User id; the first user if left out. */
  readonly creator?: string;
  /** Label names. */
  readonly labels?: readonly string[];
  /** User ids. */
  readonly favorites?: readonly string[];
  readonly partIdentifierMode?: boolean;
  /** Targets of the keyword search. */
  readonly keywordParts?: readonly string[];
  /** Part identifiers of the system parts; none if left out. */
  readonly systemIdentifiers?: Partial<Record<NonNullable<Part['system']>, string>>;
  readonly parts: readonly PartDefinition[];
  readonly automatic?: readonly {
    readonly on: 'insert' | 'update' | 'both';
    readonly part: string;
    readonly value: string;
  }[];
  readonly records?: readonly RecordDefinition[];
}

/** Where a part looks: it compares a part of this application (`key`) with a part of another one (`match`). */
export interface LinkDefinition {
  /** Id or identifier; it may not exist (yet). */
  readonly application: string;
  readonly key: string;
  readonly match: string;
}

export interface PartDefinition {
  readonly name: string;
  readonly type: PartType;
  readonly identifier?: string;
  readonly options?: readonly string[];
  readonly allowOther?: boolean;
  readonly readonly?: boolean;
  readonly required?: boolean;
  /** Minutes. */
  readonly timeUnit?: number;
  readonly formula?: string;
  /** Reference part: shows `part` of the record that is found. */
  readonly reference?: LinkDefinition & { readonly part: string };
  /** Reference list: shows the records that are found. */
  readonly relation?: LinkDefinition;
  /** Key part: copies values by source part into parts of this application. */
  readonly lookup?: Omit<LinkDefinition, 'key'> & { readonly copies: Readonly<Record<string, string>> };
  /** Children of a table part; of a reference list, `source` names the part shown. */
  readonly children?: readonly (PartDefinition & { readonly source?: string })[];
}

/** An attached file with a text. */
export interface FileDefinition {
  readonly name: string;
  readonly mimeType?: string;
  readonly text?: string;
}

/** A record's values by part name, as plain JSON (docs/dev/sandbox.md, "Control"). */
export type RecordDefinition = Readonly<Record<string, unknown>>;

/** A mistake in a definition. */
export class DefinitionError extends Error {}
