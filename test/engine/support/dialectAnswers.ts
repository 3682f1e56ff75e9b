/** What a check reports for a value of a switch: the question, the answer and the verdict. */
export type Expected = readonly [question: string, answer: RegExp, verdict: string];

const LIST = ['list of applications written', 'list of records written'];
const EMPTY = ['files', 'users', 'groups', 'input_list'];
const SINGLE = ['list of one application', 'list of one record'];

/** The same answer to several questions. */
export const each = (questions: readonly string[], answer: RegExp, verdict: string): Expected[] =>
  questions.map((question) => [question, answer, verdict]);
/** The answer to one question. */
export const one = (question: string, answer: RegExp, verdict: string): Expected[] =>
  each([question], answer, verdict);

/** Every switch with each of its values, and what the check then reports. */
export const EXPECTED_ANSWERS: Readonly<Record<string, Readonly<Record<string, readonly Expected[]>>>> = {
  emptyList: {
    array: each(LIST, /^As an empty array/, 'ok'),
    error: each(LIST, /-110/, 'handled'),
    emptyString: each(LIST, /empty text/, 'handled'),
    noItem: each(LIST, /^Without item/, 'handled'),
    noList: each(LIST, /^Without list/, 'handled'),
  },
  emptyInner: {
    array: EMPTY.flatMap((type) => one(`empty value of the type ${type}`, /array/, 'ok')),
    emptyString: EMPTY.flatMap((type) => one(`empty value of the type ${type}`, /as item/, 'handled')),
    noItem: EMPTY.flatMap((type) => one(`empty value of the type ${type}`, /Without item/, 'handled')),
    noValue: EMPTY.flatMap((type) => one(`empty value of the type ${type}`, /As an empty text/, 'handled')),
  },
  singleItem: {
    array: each(SINGLE, /^A list of one/, 'ok'),
    object: each(SINGLE, /^The item itself/, 'handled'),
  },
  listRevision: {
    always: one('carry the revision', /^Always/, 'ok'),
    requested: one('carry the revision', /by name/, 'ok'),
    never: one('carry the revision', /^Never/, 'limited'),
  },
  fieldsOmitted: {
    first50: one('if none are named', /first 50/, 'ok'),
    all: one('if none are named', /^All/, 'ok'),
  },
  permissionsKey: {
    one: one('key are permissions', /one backslash/, 'ok'),
    two: one('key are permissions', /two backslashes/, 'handled'),
    plain: one('key are permissions', /^Without/, 'handled'),
  },
  listPermissions: {
    present: one('lists carry permissions', /^Yes/, 'ok'),
    absent: one('lists carry permissions', /^No/, 'limited'),
  },
  failureStatus: {
    200: one('refusal answered', /HTTP 200/, 'ok'),
    400: one('refusal answered', /HTTP 400/, 'handled'),
    500: one('refusal answered', /HTTP 500/, 'limited'),
  },
  refusals: {
    distinct: one('distinguished from an unknown application', /^Yes/, 'ok'),
    alike: one('distinguished from an unknown application', /^No/, 'handled'),
  },
  dates: {
    text: one('a date written', /^yyyy-MM-dd/, 'ok'),
    object: one('a date written', /object/, 'handled'),
  },
  numbers: {
    string: one('a number written', /^As text$/, 'ok'),
    number: one('a number written', /JSON numbers/, 'handled'),
    separators: one('a number written', /separators/, 'handled'),
  },
  ids: {
    string: one('IDs of applications', /text/, 'ok'),
    number: one('IDs of applications', /numbers/, 'handled'),
  },
  counts: {
    string: one('counts written', /text/, 'ok'),
    number: one('counts written', /numbers/, 'handled'),
  },
  rowIds: {
    plain: one('carry its ID?', /^Under data_id$/, 'ok'),
    value: one('carry its ID?', /object/, 'handled'),
    part: one('carry its ID?', /child part/, 'handled'),
    none: one('carry its ID?', /none/, 'limited'),
  },
  downloadUrl: {
    absolute: one('address does an attachment', /on the host/, 'ok'),
    otherHost: one('address does an attachment', /another host/, 'handled'),
  },
  attachmentUrlId: {
    equal: one('also the one in its address', /^Yes/, 'ok'),
    different: one('also the one in its address', /^No/, 'handled'),
  },
  downloadContentType: {
    file: one('attachment be downloaded', /own content type/, 'ok'),
    generic: one('attachment be downloaded', /fits any file/, 'handled'),
    missing: one('attachment be downloaded', /without a content type/, 'handled'),
  },
  contentType: {
    'application/json; charset=UTF-8': one('content type do', /^JSON/, 'ok'),
    'text/html': one('content type do', /^Text/, 'handled'),
    'application/x-other': one('content type do', /^Another/, 'handled'),
  },
};

/** Part types for which `=` is checked, in addition to those of people. */
export const EQUALS_TYPES = [
  'textbox',
  'textarea',
  'richeditor',
  'radio',
  'select',
  'checkbox',
  'listbox',
  'number',
  'date',
  'time',
  'datetime',
  'expression',
];

/** How `=` behaves for a type, by the switch that names the type. */
export const EQUALS: Readonly<Record<string, readonly [answer: RegExp, verdict: string]>> = {
  equalsRefused: [/refused/, 'limited'],
  equalsIgnored: [/ignored/, 'problem'],
  equalsMisses: [/does not find/, 'limited'],
};
