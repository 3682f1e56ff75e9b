/**
 * What the interface leaves open and a service may do is a named switch here, below the reason for it: what is not shown
 * in the interface, what public clients have seen, what the vendor says (docs/dev/service-facts.md). The default is the
 * most likely value (`npm run sandbox -- --help` lists them). All can be changed while the sandbox runs.
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

function choice<V extends string>(about: string, fallback: NoInfer<V>, values: Record<V, string>): Choice<V> {
  return { kind: 'choice', about, fallback, values };
}
function text(about: string, fallback: string): Text {
  return { kind: 'text', about, fallback };
}
function amount(about: string, fallback: number): Amount {
  return { kind: 'amount', about, fallback };
}

export const switches = {
  // Seen: -110 instead of an empty list; clients guard against a missing list or item, and an empty string.
  emptyList: choice('How a list action answers if nothing is found', 'array', {
    array: 'ok with an empty item array',
    error: 'ng with errorno -110, "no matching data"',
    emptyString: 'ok with an empty string as item',
    noItem: 'ok with a list object that has no item',
    noList: 'ok without list',
  }),
  // Seen: clients guard the lists inside a value in the same ways.
  emptyInner: choice('How a value without files, users, groups or rows is written', 'array', {
    array: 'an empty item array',
    emptyString: 'an empty string as item',
    noItem: 'the container object without item',
    noValue: 'an empty string as val',
  }),
  // Seen: clients guard against a single object instead of a list of one.
  singleItem: choice('How a list of one is written, everywhere', 'array', {
    array: 'an array of one',
    object: 'the item itself',
  }),
  // Not shown: whether a list item is as complete as a record.
  listRevision: choice('Whether a list narrowed by fields carries the revision', 'requested', {
    always: 'always',
    requested: 'when fields names revision',
    never: 'never',
  }),
  // The vendor says so of older versions.
  fieldsOmitted: choice('What list_data returns when fields is omitted', 'first50', {
    first50: 'the first fifty parts, the revision counted (interface.md)',
    all: 'all parts, as older versions do',
  }),
  // Seen: an error without val and deny_write.
  partErrors: choice('How the value of a part in error is written', 'withValue', {
    withValue: 'error beside an empty val',
    alone: 'error alone',
  }),
  // The interface shows two backslashes in JSON text, one once it is parsed; other versions may differ.
  permissionsKey: choice('How list items and records carry their permissions', 'one', {
    one: 'key with one backslash once parsed',
    two: 'key with two backslashes once parsed',
    plain: 'key without a backslash',
  }),
  // Not shown: how exactly a list item differs from a record.
  listPermissions: choice('Whether list items carry permissions', 'present', {
    present: 'as get_data does',
    absent: 'not at all',
  }),
  // Not shown; usually 200. A proxy or web server may change it.
  failureStatus: choice('HTTP status of an ng answer', '200', { 200: '200', 400: '400', 500: '500' }),
  // Seen: 401 and 403, sometimes without a body. A login page is what a browser gets.
  badKey: choice('How a refused access key is answered', '401', {
    401: '401 with an ng body',
    '401-empty': '401 with an empty body',
    403: '403 with an ng body',
    '403-empty': '403 with an empty body',
    'login-page': '200 with an HTML login page',
    ng: 'an ng answer',
  }),
  // Not shown: whether a missing record, a withdrawn right and a stopped application can be told apart.
  refusals: choice('Whether missing, forbidden and stopped things can be distinguished', 'distinct', {
    distinct: 'each has its own error number',
    alike: 'always -10008',
  }),
  // Seen: an object of year, month and day.
  dates: choice('How a date is written', 'text', {
    text: 'yyyy-MM-dd',
    object: 'an object of year, month and day',
  }),
  // Seen: JSON numbers, and thousands separators.
  numbers: choice('How a number part is written', 'string', {
    string: 'text, as it was entered',
    number: 'a JSON number, if that loses nothing',
    separators: 'text with thousands separators',
  }),
  // Seen: text and number.
  ids: choice('How IDs of records, parts, rows, files, people and labels are written', 'string', {
    string: 'as text',
    number: 'as JSON numbers',
  }),
  // Seen: text and number.
  counts: choice('How revision, allcnt, delete_count and size are written', 'string', {
    string: 'as text',
    number: 'as JSON numbers',
  }),
  // The vendor says ID; clients also look for id and data_id.
  insertKey: choice('Under which key insert_data and update_data return the ID', 'ID', {
    ID: 'ID',
    id: 'id',
    data_id: 'data_id',
  }),
  // Not shown: where a row that is read carries the ID by which it is written.
  rowIds: choice('Where a row of a table part contains its ID', 'plain', {
    plain: 'data_id, as text',
    value: 'data_id, as an object with val',
    part: 'a child part of type id, added by the service',
    none: 'nowhere',
  }),
  // Seen: absolute; behind a proxy, its host is not the one that the caller reaches.
  downloadUrl: choice('Which url an attachment has', 'absolute', {
    absolute: 'absolute, on the host of this service',
    otherHost: 'absolute, on a host that cannot be reached',
  }),
  // Not shown.
  attachmentUrlId: choice("Whether an attachment's ID and the id in its url are the same", 'equal', {
    equal: 'the same',
    different: 'different',
  }),
  // The name contains a word for the brand; seen: X-Desknets-Auth.
  headerName: text('Name of the header that carries the access key', 'X-Service-Auth'),
  // The vendor supports it.
  basicAuth: text(
    'HTTP Basic of a web server in front of the service, as user:password; none for no such server',
    'none',
  ),
  // Not shown.
  downloadContentType: choice('Content type of a downloaded file', 'file', {
    file: "the file's own",
    generic: 'application/octet-stream',
    missing: 'none',
  }),
  // Not shown: on which part types the operator = works.
  equals: text(
    'Where the filter operator = does not work: refused, ignored or misses, a colon, and part types (* for all)',
    'works',
  ),
  // Not shown for parts; unknown parameters are ignored.
  unknownPart: choice('What happens to a written part that does not exist', 'refused', {
    refused: 'the call is refused',
    ignored: 'the parameter is ignored',
  }),
  // Not shown: whether several files under one name are all kept.
  severalFiles: choice('Which of several files sent under one name are kept', 'all', {
    all: 'all',
    first: 'the first',
    last: 'the last',
  }),
  // Not shown.
  omittedChild: choice('What happens to a child value that a sent row leaves out', 'kept', {
    kept: 'it stays',
    emptied: 'it is emptied (attachments always stay)',
  }),
  // Not shown.
  multiDelete: choice('What delete_data does if one of several IDs cannot be deleted', 'part', {
    part: 'deletes the others and answers ok with their count',
    all: 'deletes the others and answers ng',
    none: 'deletes nothing and answers ng',
  }),
  // Not shown.
  deleteIds: amount('How many IDs one delete_data accepts; 0 for no limit', 0),
  // Not shown: whether a notification is sent inside the call.
  notifications: choice('When a notification of automatic processing is sent', 'inside', {
    inside: 'during the call that made the change; the queue is held until the receiver answers',
    after: 'after the call was answered',
  }),
  // The vendor says ten.
  queueLength: amount('How many calls can wait before the service answers 429', 10),
  // The vendor says about ten seconds.
  overloadMs: amount('How long the service then answers 429, in milliseconds', 10_000),
} as const;

type SwitchName = keyof typeof switches;

/** The possible values of a switch. */
type ValueOf<S> = S extends Choice<infer V> ? V : S extends Text ? string : S extends Amount ? number : never;

/** The setting of every switch. */
export type Dialect = { -readonly [N in SwitchName]: ValueOf<(typeof switches)[N]> };

/** All switches at their defaults. */
export function defaultDialect(): Dialect {
  return Object.fromEntries(
    Object.entries(switches).map(([name, { fallback }]) => [name, fallback]),
  ) as unknown as Dialect;
}

/**
 * Changes some switches and keeps the others. Nothing changes if a name or a value is unknown.
 * @throws {@link RangeError} naming the switch and the values that it accepts.
 */
export function changeDialect(dialect: Dialect, changes: Readonly<Record<string, unknown>>): void {
  const checked = Object.entries(changes).map(([name, value]) => [name, checkedValue(name, value)]);
  Object.assign(dialect, Object.fromEntries(checked));
}

function checkedValue(name: string, value: unknown): unknown {
  if (!Object.hasOwn(switches, name)) throw new RangeError(`There is no dialect switch "${name}"`);
  const found = switches[name as SwitchName];
  switch (found.kind) {
    case 'choice': {
      if (Object.hasOwn(found.values, String(value))) return String(value);
      throw new RangeError(`The switch "${name}" must be one of: ${Object.keys(found.values).join(', ')}`);
    }
    case 'text': {
      if (typeof value === 'string' && value !== '') return value;
      throw new RangeError(`The switch "${name}" must be a text that is not empty`);
    }
    case 'amount': {
      const number = Number(value);
      if (value !== '' && Number.isInteger(number) && number >= 0) return number;
      throw new RangeError(`The switch "${name}" must be an integer, 0 or more`);
    }
  }
}
