import { isCancelled, toServiceError } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { counted } from '../../../util/counted';
import type { Inquiry } from './inquiry';
import { type Finding, handled, inWords, limited, ok, problem, unknown } from './finding';
import { type Question, questionsOn } from './question';
import { emptyListFinding, singleItemFinding } from './shapeFindings';

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

const onKey = questionsOn('Connection', 'nothing');
const onConnection = questionsOn('Connection', 'connection');
const onListing = questionsOn('Connection', 'listing');

export const connectionQuestions: readonly Question[] = [
  onKey('Does the access key work?', keyWorks),
  onListing('Which content type do answers have?', contentType),
  onListing('Do the clocks of the service and of n8n agree?', clock),
  onConnection('How is a refusal answered?', failureStatus),
  onListing('How is a list of one application written?', singleItem),
  onListing('How is an empty list of applications written?', emptyList),
];
