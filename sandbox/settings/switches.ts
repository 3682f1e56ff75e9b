/**
 * Everything that the interface leaves open is a named switch here. Its default is the most likely value
 * (docs/dev/sandbox.md lists them from `npm run sandbox -- --help`). All can be changed while the sandbox runs.
 */

interface Choice<V extends string> {
  readonly kind: 'choice';
  readonly about: string;
  readonly fallback: V;
  /** What each value means. */
  readonly values: Readonly<Record<V, string>>;
}
interface Text {
  readonly kind: 'text';
  readonly about: string;
  readonly fallback: string;
}
interface Amount {
  readonly kind: 'amount';
  readonly about: string;
  readonly fallback: number;
}
interface Types {
  readonly kind: 'types';
  readonly about: string;
  readonly fallback: readonly string[];
}

function choice<V extends string>(about: string, fallback: NoInfer<V>, values: Record<V, string>): Choice<V> {
  return { kind: 'choice', about, fallback, values };
}
function text(about: string, fallback: string): Text {
  return { kind: 'text', about, fallback };
}
function amount(about: string, fallback: number): Amount {
  return { kind: 'amount', about, fallback };
}
function types(about: string): Types {
  return { kind: 'types', about, fallback: [] };
}

export const switches = {
  emptyList: choice('How a list action answers if nothing is found', 'array', {
    array: 'ok with an empty item array',
    error: 'ng with errorno -110, "no matching data"',
    emptyString: 'ok with an empty string as item',
    noItem: 'ok with a list object that has no item',
    noList: 'ok without list',
  }),
  emptyInner: choice('How a value without files, users, groups or rows is written', 'array', {
    array: 'an empty item array',
    emptyString: 'an empty string as item',
    noItem: 'the container object without item',
    noValue: 'an empty string as val',
  }),
  singleItem: choice('How a list of one is written, everywhere', 'array', {
    array: 'an array of one',
    object: 'the item itself',
  }),
  listRevision: choice('Whether a list narrowed by fields carries the revision', 'requested', {
    always: 'always',
    requested: 'when fields names revision',
    never: 'never',
  }),
  fieldsOmitted: choice('What list_data returns when fields is omitted', 'first50', {
    first50: 'the first fifty parts, the revision counted (interface.md)',
    all: 'all parts, as older versions do',
  }),
  permissionsKey: choice('How list items and records carry their permissions', 'one', {
    one: 'key with one backslash once parsed',
    two: 'key with two backslashes once parsed',
    plain: 'key without a backslash',
  }),
  listPermissions: choice('Whether list items carry permissions', 'present', {
    present: 'as get_data does',
    absent: 'not at all',
  }),
  failureStatus: choice('HTTP status of an ng answer', '200', { 200: '200', 400: '400', 500: '500' }),
  badKey: choice('How a refused access key is answered', '401', {
    401: '401 with an ng body',
    '401-empty': '401 with an empty body',
    403: '403 with an ng body',
    '403-empty': '403 with an empty body',
    'login-page': '200 with an HTML login page',
    ng: 'an ng answer',
  }),
  refusals: choice('Whether missing, forbidden and stopped things can be distinguished', 'distinct', {
    distinct: 'each has its own error number',
    alike: 'always -10008',
  }),
  dates: choice('How a date is written', 'text', {
    text: 'yyyy-MM-dd',
    object: 'an object of year, month and day',
  }),
  numbers: choice('How a number part is written', 'string', {
    string: 'text, as it was entered',
    number: 'a JSON number, if that loses nothing',
    separators: 'text with thousands separators',
  }),
  ids: choice('How IDs of records, parts, rows, files, people and labels are written', 'string', {
    string: 'as text',
    number: 'as JSON numbers',
  }),
  counts: choice('How revision, allcnt, delete_count and size are written', 'string', {
    string: 'as text',
    number: 'as JSON numbers',
  }),
  insertKey: choice('Under which key insert_data and update_data return the ID', 'ID', {
    ID: 'ID',
    id: 'id',
    data_id: 'data_id',
  }),
  rowIds: choice('Where a row of a table part contains its ID', 'plain', {
    plain: 'data_id, as text',
    value: 'data_id, as an object with val',
    part: 'a child part of type id, added by the service',
    none: 'nowhere',
  }),
  downloadUrl: choice('Which url an attachment has', 'absolute', {
    absolute: 'absolute, on the host of this service',
    relative: 'relative to the data module',
    otherHost: 'absolute, on a host that cannot be reached',
  }),
  attachmentUrlId: choice("Whether an attachment's ID and the id in its url are the same", 'equal', {
    equal: 'the same',
    different: 'different',
  }),
  headerName: text('Name of the header that carries the access key', 'X-Service-Auth'),
  keyParameter: text('Name of the parameter that can carry the access key instead', 'access_key'),
  basicAuth: text(
    'HTTP Basic of a web server in front of the service, as user:password; none for no such server',
    'none',
  ),
  contentType: text('Content type of JSON answers', 'application/json; charset=UTF-8'),
  downloadContentType: choice('Content type of a downloaded file', 'file', {
    file: "the file's own",
    generic: 'application/octet-stream',
    missing: 'none',
  }),
  equalsRefused: types('Part types for which the filter operator = is refused (* for all)'),
  equalsIgnored: types('Part types for which a condition with = is ignored (* for all)'),
  equalsMisses: types('Part types for which a condition with = never finds anything (* for all)'),
  idFrom: choice('What a filter with >= on the ID part does', 'numbers', {
    numbers: 'compares IDs as numbers',
    texts: 'compares them as texts, so that 9 comes after 10',
    ignored: 'is ignored',
    nothing: 'never finds anything',
    refused: 'is refused',
  }),
  unknownPart: choice('What happens to a written part that does not exist', 'refused', {
    refused: 'the call is refused',
    ignored: 'the parameter is ignored',
  }),
  readonlyPart: choice('What happens to a value sent for a part that cannot be written', 'refused', {
    refused: 'the call is refused',
    ignored: 'the parameter is ignored',
  }),
  repeatedDelete: choice('Which of several del_attachment_id of one part take effect', 'all', {
    all: 'all',
    first: 'the first',
    last: 'the last',
  }),
  severalFiles: choice('Which of several files sent under one name are kept', 'all', {
    all: 'all',
    first: 'the first',
    last: 'the last',
  }),
  storedFiles: choice('Whether an uploaded file is kept as it was sent', 'asSent', {
    asSent: 'byte for byte',
    altered: 'with some more bytes, as after re-encoding a picture',
  }),
  omittedChild: choice('What happens to a child value that a sent row leaves out', 'kept', {
    kept: 'it stays',
    emptied: 'it is emptied (attachments always stay)',
  }),
  multiDelete: choice('What delete_data does if one of several IDs cannot be deleted', 'part', {
    part: 'deletes the others and answers ok with their count',
    all: 'deletes the others and answers ng',
    none: 'deletes nothing and answers ng',
  }),
  deleteIds: amount('How many IDs one delete_data accepts; 0 for no limit', 0),
  partKeys: choice('What part values are keyed by', 'application', {
    application: "as the application's setting says",
    name: 'always the part name',
    identifier: 'always the part identifier',
  }),
  maxFormBytes: amount('Largest body without files, and largest single field, in bytes', 33_554_432),
  maxFileBytes: amount('Largest uploaded file in bytes', 1_073_741_824),
  notifications: choice('When a notification of automatic processing is sent', 'inside', {
    inside: 'during the call that made the change; the queue is held until the receiver answers',
    after: 'after the call was answered',
  }),
  notificationMs: amount(
    'How long the service waits for the answer to a notification, in milliseconds',
    10_000,
  ),
  externalUrl: choice('What a notification contains as external_url', 'filled', {
    filled: "the record's screen, as in url",
    empty: 'empty text',
    absent: 'nothing, as older versions do',
  }),
  queueLength: amount('How many calls can wait before the service answers 429', 10),
  overloadMs: amount('How long the service then answers 429, in milliseconds', 10_000),
} as const;

export type SwitchName = keyof typeof switches;

/** The possible values of a switch. */
export type ValueOf<S> =
  S extends Choice<infer V>
    ? V
    : S extends Text
      ? string
      : S extends Amount
        ? number
        : S extends Types
          ? readonly string[]
          : never;
