/** The type of a value in an output, as the reference shows it. */
export type OutputType =
  | 'text'
  | 'text or null'
  | 'number'
  | 'number or null'
  | 'true or false'
  | 'list of texts'
  | 'list of objects'
  | 'object';

/** One key of an output item's JSON. */
export interface OutputKey {
  readonly key: string;
  readonly type: OutputType;
  readonly meaning: string;
  /** When the key exists; left out if it always does. */
  readonly only?: string;
}

/** The output of an operation. */
export interface Output {
  /** How many items, and for what. */
  readonly items: string;
  readonly keys: readonly OutputKey[];
  /** The parts of a record or a row are beside these keys. */
  readonly parts?: string;
  /** The files in the output. */
  readonly binary?: string;
}

export const key = (name: string, type: OutputType, meaning: string, only?: string): OutputKey => ({
  key: name,
  type,
  meaning,
  ...(only !== undefined && { only }),
});

/** The keys of a record besides its parts. */
export const RECORD: readonly OutputKey[] = [
  key('revision', 'number or null', 'the revision, which grows with every change'),
  key(
    'canWrite',
    'true or false',
    'whether the user of the access key may change the record',
    'the service says so',
  ),
  key('canDelete', 'true or false', 'whether that user may delete it', 'the service says so'),
  key('partErrors', 'object', 'by part: why its value is missing', 'a part is in error'),
];

export const PARTS = 'One key per part, see [values](../values.md)';

/** The files of a record. */
export const ATTACHMENTS = 'With Download Attachments: `attachment_0`, `attachment_1` and so on.';
