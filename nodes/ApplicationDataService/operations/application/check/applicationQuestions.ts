import { partKey } from '../../../parts/model/keys';
import { duplicateKeys } from '../../../parts/model/lookup';
import { ownIdPart } from '../../../parts/types/id';
import type { Part } from '../../../parts/model/part';
import { isObject, readItems, readText } from '../../../parts/values/shapes';
import { settle } from '../../../util/concurrently';
import { counted } from '../../../util/counted';
import type { Inquiry } from './inquiry';
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
} from './finding';
import { type Question, questionsOn } from './question';

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
  const lists = partLists(await inquiry.parts());
  const count = lists.reduce((sum, parts) => sum + duplicateKeys(parts, mode).length, 0);
  if (count === 0) return ok('No');
  return limited(
    `${counted(count, 'key is', 'keys are')} shared by several parts`,
    'The service cannot distinguish such parts: they are not written, and reads may return the wrong one. Rename them.',
  );
}

function partLists(parts: readonly Part[]): (readonly Part[])[] {
  return [parts, ...parts.map(({ children }) => children)];
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

const onApplication = questionsOn('Application', 'application');

export const applicationQuestions: readonly Question[] = [
  questionsOn('Application', 'connection')('Is the application there, and is it running?', isThere),
  onApplication('What are part values keyed by?', keys),
  onApplication('Do several parts share a key?', sameKeys),
  onApplication('Do lists carry the record ID?', idPart),
  onApplication('How are IDs of applications and parts written?', ids),
  onApplication('How are counts written?', counts),
  onApplication('Can an unknown record be distinguished from an unknown application?', refusals),
  onApplication('Are there parts whose values the service does not return?', hiddenParts),
];
