import { canonicalText, storedText } from '../../../parts/compare';
import { outputKey, partKey } from '../../../parts/model/keys';
import type { Part } from '../../../parts/model/part';
import type { FormField } from '../../../service/http/multipart';
import {
  filterCondition,
  filterText,
  partFields,
  type RawRecord,
  sortFields,
} from '../../../service/read/recordList';
import { type Inquiry, type Sampled, type Question, questionsOn } from './inquiry';
import {
  type Finding,
  limited,
  ok,
  problem,
  Unanswered,
  unknown,
  unlessRefused,
  handled,
  NO_RECORD,
  emptyListFinding,
  singleItemFinding,
} from './finding';
import { readInteger } from '../../../parts/values/decimal';
import { isRevision } from '../../../parts/record';
import { isObject, readItems } from '../../../parts/values/shapes';
import { MAX_LIST_LENGTH } from '../../../service/http/client';

/** How many parts a list without `fields` returns at most, counting the revision (interface.md, "Limits"). */
const DEFAULT_PARTS = 50;

const PERMISSION_KEYS = ['\\permissions', '\\\\permissions', 'permissions'];

async function pageLimit(inquiry: Inquiry): Promise<Finding> {
  const count = readInteger(await inquiry.count());
  const given = (await inquiry.records([['limit', String(MAX_LIST_LENGTH + 1)]])).length;
  if (given === 0)
    return count === 0 ? NO_RECORD : problem('None', 'The application has records, but lists are empty.');
  if (given >= MAX_LIST_LENGTH) return ok('At least 5000');
  if (count === null || given >= count) {
    return ok(
      'All there are; there are fewer than 5000',
      'To see the limit, run the check in a larger application.',
    );
  }
  return handled(
    'Fewer than 5000, although there are more records',
    'Create or Update, Delete and Sync notice; other reads may end early. Please report this.',
  );
}

async function emptyList(inquiry: Inquiry): Promise<Finding> {
  const id = await inquiry.listedId();
  const fields = id === null ? [] : [await fieldsOf(inquiry, id)];
  const keyword: FormField = ['keyword', inquiry.terms.mark];
  return await emptyListFinding(async () => await inquiry.call('list_data', [...fields, keyword]));
}

async function fieldsOf(inquiry: Inquiry, part: Part, ...more: string[]): Promise<FormField> {
  return ['fields', partFields([part], await inquiry.keyMode(), more)];
}

async function singleItem(inquiry: Inquiry): Promise<Finding> {
  return singleItemFinding((await inquiry.list([['limit', '1']]))?.list, NO_RECORD);
}

async function listRevision(inquiry: Inquiry): Promise<Finding> {
  const id = await inquiry.requiredId();
  const [plain] = await firstOf(inquiry, await fieldsOf(inquiry, id));
  if (plain === undefined) return NO_RECORD;
  if (isRevision(plain.revision)) return ok('Always');
  const without =
    'Get Many returns no revision (use Get), Sync does not work, and the trigger reads lists with all their parts: slower.';
  const asked = await unlessRefused(
    async () => await firstOf(inquiry, await fieldsOf(inquiry, id, 'revision')),
    () => limited('Never; asking for it is refused', without),
  );
  return asked.some(({ revision }) => isRevision(revision))
    ? ok('When it is asked for by name', 'The nodes ask for it.')
    : limited('Never', without);
}

async function firstOf(inquiry: Inquiry, ...fields: FormField[]): Promise<RawRecord[]> {
  return readItems((await inquiry.list([...fields, ['limit', '1']]))?.list).filter(isObject);
}

async function fieldsOmitted(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const keys = new Set((await inquiry.parts()).map((part) => partKey(part, mode)));
  keys.delete('');
  const [record] = await firstOf(inquiry);
  if (record === undefined) return NO_RECORD;
  const given = Object.keys(record).filter((key) => !PERMISSION_KEYS.includes(key)).length;
  const ASKS = 'The nodes always name the parts they want.';
  if (keys.size + 1 <= DEFAULT_PARTS) {
    return unknown(
      'This application has fewer than 50 parts',
      `${ASKS} To see it, use a larger application.`,
    );
  }
  if (given > keys.size) return ok('All parts', ASKS);
  return given === DEFAULT_PARTS ? ok('The first 50 parts', ASKS) : handled('Another number of parts', ASKS);
}

async function listOrder(inquiry: Inquiry): Promise<Finding> {
  const id = await inquiry.requiredId();
  const ask = async (order: 'asc' | 'desc'): Promise<number[]> =>
    (await inquiry.records([...sortFields(id, order), ['limit', '100']])).map((record) => Number(record.id));
  const [up, down] = [await ask('asc'), await ask('desc')];
  if (up.length < 2) return unknown('There are fewer than two records', NO_RECORD.consequence);
  if (isRising(up) && isRising([...down].reverse())) return ok('By number, both ways');
  return problem(
    'Not by number',
    'Pages may leave records out while records are added or deleted. Please report this.',
  );
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
}

async function permissionsKey(inquiry: Inquiry): Promise<Finding> {
  const record = await inquiry.oneRecord();
  if (record === null) return NO_RECORD;
  const read = 'The nodes read it as well.';
  switch (rightsKey(record)) {
    case '\\permissions':
      return ok('With one backslash before the word');
    case undefined:
      return limited('They are missing', '"canWrite" and "canDelete" are not in the output of Get.');
    case 'permissions':
      return handled('Without a backslash', read);
    default:
      return handled('With two backslashes before the word', read);
  }
}

function rightsKey(record: RawRecord): string | undefined {
  return PERMISSION_KEYS.find((key) => {
    const rights = record[key];
    return isObject(rights) && ('allow_write' in rights || 'allow_delete' in rights);
  });
}

async function listPermissions(inquiry: Inquiry): Promise<Finding> {
  const [first] = await inquiry.records([['limit', '1']]);
  if (first === undefined) return NO_RECORD;
  if (rightsKey(first.raw) !== undefined) return ok('Yes');
  return limited(
    'No',
    '"canWrite" and "canDelete" are missing in Get Many and the trigger. Use Get where they matter.',
  );
}

async function keyword(inquiry: Inquiry): Promise<Finding> {
  const { part, held } = await specimenOf(inquiry, 'textbox');
  const finds = async (parts: readonly Part[]): Promise<boolean> =>
    (await inquiry.records([['keyword', held.text]], parts)).some(({ id }) => id === held.id);
  if (!(await finds([part]))) {
    return limited(
      'It does not find a text that is there',
      'The application may name other parts as targets of the keyword search. Use conditions instead of a keyword.',
    );
  }
  return (await finds([]))
    ? ok('In the parts that the application names', 'What is returned makes no difference.')
    : ok('In the parts that are asked for', 'The nodes ask for all parts to be searched.');
}

const onLists = questionsOn('Lists', 'application');

export const listQuestions: readonly Question[] = [
  onLists('How many records does a list return at most?', pageLimit),
  onLists('How is an empty list of records written?', emptyList),
  onLists('How is a list of one record written?', singleItem),
  onLists('When do lists carry the revision?', listRevision),
  onLists('Which parts does a list return if none are named?', fieldsOmitted),
  onLists('Under which key are permissions returned?', permissionsKey),
  onLists('Do lists carry permissions?', listPermissions),
  onLists('In which order does a list sorted by ID come?', listOrder),
  onLists('Where does a keyword search?', keyword),
];

const FILTERED = [
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
  'users',
  'groups',
  'expression',
];

/** Part types that can be sorted by (service-facts, "Keyword and sort"). */
const SORTED = [
  'textbox',
  'radio',
  'select',
  'number',
  'date',
  'time',
  'datetime',
  'expression',
  'users',
  'groups',
  'user',
];

const FOUND: FormField = ['limit', '50'];

const MISSED = 'No: it does not find what is there';
const ALIKE = 'Run the check with records of different values.';

async function equals(inquiry: Inquiry, type: string): Promise<Finding> {
  const { part, held, contrast } = await specimenOf(inquiry, type);
  const scans = type === 'id' ? '' : 'Create or Update reads the whole application to match such a part. ';
  const records = await found(inquiry, part, ['=', held.text], `${scans}A condition with Equals is refused.`);
  const others = await heldBy(inquiry, part, records);
  if (others.some((other) => other !== null && other.text !== held.text)) {
    const answer = 'It finds other values as well: the condition is ignored';
    return problem(answer, `${scans}A condition with Equals leaves nothing out: do not rely on it.`);
  }
  if (records.length === 0) return limited(MISSED, `${scans}A condition with Equals finds nothing.`);
  return contrast
    ? ok('Yes', 'The nodes find records with small requests.')
    : unknown('It finds what is there; there was nothing to leave out', ALIKE);
}

async function contains(inquiry: Inquiry): Promise<Finding> {
  const { part, held } = await specimenOf(inquiry, 'textbox');
  const word = held.text.length > 3 ? held.text.slice(1, -1).trim() : held.text;
  const refused = 'A condition with Contains is refused. Use a keyword.';
  const records = await found(inquiry, part, ['contains', word], refused, []);
  return records.some(({ id }) => id === held.id)
    ? ok('Yes')
    : limited(MISSED, 'Use a keyword instead of Contains.');
}

async function isNull(inquiry: Inquiry): Promise<Finding> {
  const { part, held } = await specimenOf(inquiry, 'textbox');
  const records = await found(inquiry, part, ['is_null'], 'A condition with Is Empty is refused.');
  const others = await heldBy(inquiry, part, records);
  const isFilled =
    records.some(({ id }) => id === held.id) || others.some((other) => (other?.text ?? '') !== '');
  return isFilled ? problem('It finds filled parts as well', 'Do not rely on Is Empty.') : ok('Yes');
}

async function found(
  inquiry: Inquiry,
  part: Part,
  [operator, value]: readonly [operator: string, value?: string],
  refused: string,
  limit: readonly FormField[] = [FOUND],
): Promise<Sampled[]> {
  const filter: FormField = ['filter', filterText([filterCondition(part, operator, value)])];
  return await unlessRefused(
    async () => await inquiry.records([filter, ...limit], [part]),
    (words) => limited(`No: ${words}`, refused),
  );
}

async function sort(inquiry: Inquiry, type: string): Promise<Finding> {
  const { part } = await specimenOf(inquiry, type);
  const ask = async (order: 'asc' | 'desc'): Promise<string[]> => {
    const records = await unlessRefused(
      async () => await inquiry.records([...sortFields(part, order), FOUND], [part]),
      (words) => limited(`No: ${words}`, 'Sort by another part, or sort in n8n.'),
    );
    return (await heldBy(inquiry, part, records)).map((held) => held?.text ?? '');
  };
  const [up, down] = [await ask('asc'), await ask('desc')];
  if (new Set([...up, ...down]).size < 2) return unknown('All values are the same', ALIKE);
  if (up.join('\n') === down.join('\n')) return limited('No: both orders are the same', 'Sort in n8n.');
  const filled = up.filter((text) => text !== '');
  const isOrdered = filled.every((text, index) => index === 0 || Number(text) >= Number(filled[index - 1]));
  return type !== 'number' || isOrdered ? ok('Yes') : limited('Not by number', 'Sort in n8n.');
}

/** A record's value of a part, as a write sends it. */
interface Held {
  readonly id: string;
  readonly text: string;
}

interface Specimen {
  readonly part: Part;
  readonly held: Held;
  readonly contrast: boolean;
}

/** The values of a part in records, if they are known and not empty. */
async function heldBy(inquiry: Inquiry, part: Part, records: readonly Sampled[]): Promise<(Held | null)[]> {
  const keyMode = await inquiry.keyMode();
  const context = { keyMode, timezone: inquiry.terms.timezone };
  const key = part.type === 'id' ? 'id' : outputKey(partKey(part, keyMode));
  return await Promise.all(
    records.map(async ({ id, raw }) => {
      const simplified = await inquiry.simplified(raw);
      if (id === null || !Object.hasOwn(simplified, key)) return null;
      return { id, text: canonicalText(part, storedText(part, simplified[key], context)) };
    }),
  );
}

/**
 * A value of a type in the sample, preferably from a part with different values.
 * @throws Unanswered if none was seen, or lists carry no record ID.
 */
async function specimenOf(inquiry: Inquiry, type: string): Promise<Specimen> {
  const idPart = await inquiry.requiredId();
  const mode = await inquiry.keyMode();
  const parts = type === 'id' ? [idPart] : await inquiry.partsOf(type);
  let best: Specimen | null = null;
  for (const part of parts.filter((each) => partKey(each, mode) !== '')) {
    const values = (await heldBy(inquiry, part, await inquiry.sample())).filter((held) => held !== null);
    const held = values.find(({ text }) => text !== '' && !/[\r\n]/.test(text) && text.length < 255);
    if (held === undefined) continue;
    const contrast = values.some(({ text }) => text !== held.text);
    if (contrast || best === null) best = { part, held, contrast };
    if (contrast) break;
  }
  if (best !== null) return best;
  throw new Unanswered(
    unknown(`No value of the type ${type} was seen`, 'Run the check in an application that holds one.'),
  );
}

const onConditions = questionsOn('Conditions', 'application');
const onSorting = questionsOn('Sorting', 'application');

export const conditionQuestions: readonly Question[] = [
  ...FILTERED.map((type) =>
    onConditions(
      `Does = find what is there in a part of the type ${type}?`,
      async (inquiry) => await equals(inquiry, type),
    ),
  ),
  onConditions('Does = find what is there in the ID part?', async (inquiry) => await equals(inquiry, 'id')),
  onConditions('Does contains find part of a text?', contains),
  onConditions('Does is_null find empty texts only?', isNull),
  ...SORTED.map((type) =>
    onSorting(
      `Can lists be sorted by a part of the type ${type}?`,
      async (inquiry) => await sort(inquiry, type),
    ),
  ),
];
