import { partKey } from '../../../parts/model/keys';
import { duplicateKeys } from '../../../parts/model/lookup';
import { ownIdPart } from '../../../parts/types/id';
import { isObject, readItems, readText } from '../../../parts/values/shapes';
import { settle } from '../../../util/concurrently';
import { counted } from '../../../util/counted';
import { type Inquiry, type Question, questionsOn } from './inquiry';
import {
  endsCheck,
  type Finding,
  handled,
  inWords,
  limited,
  NO_RECORD,
  NOT_SELECTED,
  ok,
  problem,
  unknown,
  emptyListFinding,
  singleItemFinding,
} from './finding';
import { isCancelled, toServiceError } from '../../../service/http/errors';

/** Headers that services with this interface are known to accept the key in. */
const HEADERS = ['X-Service-Auth', 'X-Desknets-Auth'];

const ABOUT_KEY: ReadonlySet<string> = new Set(['unauthorized', 'loginPage', 'refused']);

const CLOCK_TOLERANCE = 2;

async function keyWorks(inquiry: Inquiry): Promise<Finding> {
  const connected = await settle(async () => await inquiry.connect());
  if ('value' in connected) return ok('Yes', 'The credential works.');
  if (isCancelled(connected.error)) throw connected.error;
  if (await inquiry.readsApplication()) {
    return limited(
      'Yes, but it may not list applications',
      'Select applications by ID or identifier: the lists in the editor stay empty.',
    );
  }
  const { kind } = toServiceError(connected.error);
  const words = inWords(connected.error);
  if (!ABOUT_KEY.has(kind)) {
    return problem(
      `No: ${words}`,
      'Check the base URL and the data module in the credential, whether the service is running, and any proxy between n8n and the service.',
    );
  }
  const used = inquiry.terms.headerName.toLowerCase();
  for (const name of HEADERS.filter((each) => each.toLowerCase() !== used)) {
    const client = await inquiry.terms.clientWithHeader(name);
    const tried = await settle(async () => await client.call('list_apps', [['limit', '1']]));
    if ('error' in tried) continue;
    return problem(
      `Not under the header of the credential, but under ${name}`,
      `Enter ${name} as the Authentication Header Name in the credential.`,
    );
  }
  return problem(
    `No: ${words}`,
    'Check the access key and the header name in the credential. A key can be disabled or limited to certain IP addresses.',
  );
}

async function contentType(inquiry: Inquiry): Promise<Finding> {
  const type = (await headersOf(inquiry))['content-type'] ?? '';
  if (/json/i.test(type)) return ok('JSON');
  const answer = type === '' ? 'None' : /^text\/(html|plain)/i.test(type) ? 'Text' : 'Another one';
  return handled(answer, 'The nodes can read the answers anyway.');
}

async function clock(inquiry: Inquiry): Promise<Finding> {
  const date = Date.parse((await headersOf(inquiry)).date ?? '');
  if (Number.isNaN(date)) {
    return unknown('The service names no time', 'Compare the clocks of the service and of n8n by hand.');
  }
  const minutes = Math.round(Math.abs(inquiry.terms.now() - date) / 60_000);
  if (minutes <= CLOCK_TOLERANCE) return ok('Yes');
  return limited(
    `No: they differ by about ${counted(minutes, 'minute')}`,
    'Set the clocks right: conditions on "updated at" and scheduled workflows miss records by that much.',
  );
}

async function headersOf({ client }: Inquiry): Promise<Readonly<Record<string, string>>> {
  return await client.stream(
    'list_apps',
    [['limit', '1']],
    async ({ headers }) => await Promise.resolve(headers),
  );
}

async function failureStatus(inquiry: Inquiry): Promise<Finding> {
  const failure = await inquiry.unknownApplication();
  const { kind, details } = failure;
  if (kind !== 'refused') {
    return limited(
      inWords(failure),
      'The nodes take a refusal for a failure of the service: messages say less, and reads are retried for nothing.',
    );
  }
  const status = `HTTP ${details.status ?? 200}`;
  if (details.errorNumber === undefined)
    return handled(`${status} without an error number`, 'The nodes recognize it.');
  const judge = details.status === 200 ? ok : handled;
  return judge(`${status} with an error number`, 'The nodes show what the service says.');
}

async function singleItem(inquiry: Inquiry): Promise<Finding> {
  const none = unknown('There is no application', 'Run the check again once the user of the key sees one.');
  return singleItemFinding((await inquiry.connect()).list, none);
}

async function emptyList({ client, terms }: Inquiry): Promise<Finding> {
  return await emptyListFinding(async () => await client.call('list_apps', [['keyword', terms.mark]]));
}

/** The largest number that every service accepts as an ID. No application has that many records. */
const NO_RECORD_HAS = '2147483647';

async function isThere(inquiry: Inquiry): Promise<Finding> {
  if (inquiry.terms.reference === '') return NOT_SELECTED;
  const read = await settle(async () => await inquiry.application());
  if ('error' in read) {
    if (endsCheck(read.error)) throw read.error;
    return problem(
      `It cannot be read: ${inWords(read.error)}`,
      'Check the ID or identifier, and whether the user of the access key may see the application.',
    );
  }
  const { status } = read.value.application;
  switch (status) {
    case 'running':
      return ok('Yes, and it is running');
    case 'maintenance':
    case 'stopped':
      return problem(
        `Yes, but its status is ${status}`,
        'Reads and writes fail or leave out records until it is running. Then run the check again.',
      );
    default:
      return handled('Yes; its status is missing', 'The nodes go by whether it answers.');
  }
}

async function keys(inquiry: Inquiry): Promise<Finding> {
  const app = await inquiry.application();
  const mode = await app.keyMode();
  if (mode === null) {
    return limited(
      'Unknown: parts have identifiers, but there is no record to look at',
      'Add a record, or set the option Part Key; until then writing asks for it.',
    );
  }
  const { parts } = app.application;
  const hidden = parts.filter((part) => partKey(part, mode) === '').length;
  const answer = mode === 'name' ? 'By part name' : 'By part identifier';
  if (hidden > 0) {
    return limited(
      `${answer}; ${counted(hidden, 'part has', 'parts have')} none`,
      "Parts without an identifier are neither read nor written. Add one in the application's settings.",
    );
  }
  return ok(answer, 'The nodes find this out by themselves.');
}

async function sameKeys(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const parts = await inquiry.parts();
  const lists = [parts, ...parts.map(({ children }) => children)];
  const count = lists.reduce((sum, list) => sum + duplicateKeys(list, mode).length, 0);
  if (count === 0) return ok('No');
  return limited(
    `${counted(count, 'key is', 'keys are')} shared by several parts`,
    'The service cannot distinguish such parts: they are not written, and reads may return the wrong one. Rename them.',
  );
}

async function idPart(inquiry: Inquiry): Promise<Finding> {
  if (ownIdPart(await inquiry.parts()) === null) {
    return problem(
      'The application shows none, or several that could be it',
      'Lists carry no record IDs: Create or Update, the trigger and record lists do not work here.',
    );
  }
  if ((await inquiry.listedId()) !== null) return ok('Yes');
  return problem(
    'No: it has no part identifier',
    "Lists carry no record IDs. Give the ID part an identifier in the application's settings.",
  );
}

/** Whether ids or counts come as text, which is documented, or as numbers. */
function writtenAs(values: readonly unknown[], asNumbers: string, other: string): Finding {
  if (values.every((value) => typeof value === 'string')) return ok('As text');
  return values.some((value) => typeof value === 'number')
    ? handled('As numbers', asNumbers)
    : limited('In another way', other);
}

async function ids(inquiry: Inquiry): Promise<Finding> {
  const { raw } = (await inquiry.application()).application;
  const [part] = readItems(raw.fields);
  const values = [raw.id, isObject(part) ? part.id : undefined];
  return writtenAs(values, 'The nodes return them as text.', 'IDs cannot be read. Please report this.');
}

async function counts(inquiry: Inquiry): Promise<Finding> {
  const lost = 'Count fails, and lists cannot be checked for being whole.';
  return writtenAs([await inquiry.count()], 'The nodes return numbers either way.', lost);
}

async function refusals(inquiry: Inquiry): Promise<Finding> {
  const record = await inquiry.failure('get_data', [['data_id', NO_RECORD_HAS]]);
  const application = await inquiry.unknownApplication();
  const other = [record, application].find(({ kind }) => kind !== 'refused');
  if (other !== undefined) throw other;
  return record.details.errorNumber === application.details.errorNumber
    ? handled(
        'No, both have the same error number',
        'The nodes rely on no number: they look again before they say that something is gone.',
      )
    : ok('Yes, by their error numbers', 'The nodes do not rely on these numbers.');
}

async function hiddenParts(inquiry: Inquiry): Promise<Finding> {
  const sample = await inquiry.sample();
  if (sample.length === 0) return NO_RECORD;
  const values = sample.flatMap(({ raw }) => Object.values(raw)).filter(isObject);
  const errors = new Set(values.map(({ error }) => readText(error)).filter((error) => error !== ''));
  const known = ['unauthorized', 'reference_error', 'under_maintenance'].filter((code) => errors.has(code));
  if (errors.size > known.length) known.push('a code that is not documented');
  if (known.length === 0) return ok('No');
  return limited(
    `Yes: ${known.join(', ')}`,
    'Such parts have no value in the output; they are listed under "partErrors". Sync and Create or Update refuse to match on them.',
  );
}

const onListing = questionsOn('Connection', 'listing');
const onApplication = questionsOn('Application', 'application');

export const applicationQuestions: readonly Question[] = [
  questionsOn('Connection', 'nothing')('Does the access key work?', keyWorks),
  onListing('Which content type do answers have?', contentType),
  onListing('Do the clocks of the service and of n8n agree?', clock),
  questionsOn('Connection', 'connection')('How is a refusal answered?', failureStatus),
  onListing('How is a list of one application written?', singleItem),
  onListing('How is an empty list of applications written?', emptyList),
  questionsOn('Application', 'connection')('Is the application there, and is it running?', isThere),
  onApplication('What are part values keyed by?', keys),
  onApplication('Do several parts share a key?', sameKeys),
  onApplication('Do lists carry the record ID?', idPart),
  onApplication('How are IDs of applications and parts written?', ids),
  onApplication('How are counts written?', counts),
  onApplication('Can an unknown record be distinguished from an unknown application?', refusals),
  onApplication('Are there parts whose values the service does not return?', hiddenParts),
];
