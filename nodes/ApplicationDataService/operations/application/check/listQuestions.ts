import { partKey } from '../../../parts/model/keys';
import { isObject } from '../../../parts/values/shapes';
import { readInteger } from '../../../parts/values/decimal';
import { readFlag, readItems } from '../../../parts/values/wire';
import { isRefusal } from '../../../service/http/errors';
import { MAX_LIST_LENGTH } from '../../../service/http/listItems';
import { partFields, sortFields, type RawRecord } from '../../../service/read/recordList';
import { settle } from '../../../util/concurrently';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import { questionsOn, type Question } from './question';
import type { Inquiry } from './inquiry';
import { PERMISSION_KEYS, permissionQuestions } from './permissionQuestions';
import { NO_RECORD } from './noRecord';
import { emptyListFinding } from './shapeFindings';
import type { FormField } from '../../../service/http/multipart';

/** How many parts a list without `fields` returns at most, counting the revision (interface.md, "Limits"). */
const DEFAULT_PARTS = 50;

async function pageLimit(inquiry: Inquiry): Promise<Finding> {
  const { allcnt } = await inquiry.once('count', async () => await inquiry.call('count_data', []));
  const count = readInteger(allcnt);
  const given = (await inquiry.records([['limit', String(MAX_LIST_LENGTH + 1)]])).length;
  if (given === 0)
    return count === 0 ? NO_RECORD : problem('None', 'The application has records, but lists are empty.');
  if (given >= MAX_LIST_LENGTH) return ok('At least 5000', 'Nothing to do.');
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
  const fields = id === null ? [] : await fieldsOf(inquiry, [partKey(id, await inquiry.keyMode())]);
  const keyword: FormField = ['keyword', inquiry.terms.mark];
  return await emptyListFinding(async () => await inquiry.call('list_data', [...fields, keyword]));
}

async function fieldsOf(inquiry: Inquiry, keys: readonly string[]): Promise<FormField[]> {
  return [['fields', partFields([], await inquiry.keyMode(), keys)]];
}

async function singleItem(inquiry: Inquiry): Promise<Finding> {
  const answer = await inquiry.list([['limit', '1']]);
  const list = answer?.list;
  const item = isObject(list) ? list.item : list;
  if (Array.isArray(item) && item.length === 1) return ok('A list of one', 'Nothing to do.');
  if (isObject(item)) return handled('The item itself', 'The nodes read it as a list of one.');
  return readItems(list).length === 0
    ? NO_RECORD
    : limited('More than was asked for', 'The service does not keep to the limit; the nodes do.');
}

async function listRevision(inquiry: Inquiry): Promise<Finding> {
  const id = await inquiry.listedId();
  if (id === null)
    return unknown('Not asked: lists carry no record ID', 'See "Do lists carry the record ID?".');
  const key = partKey(id, await inquiry.keyMode());
  const [plain] = await firstOf(inquiry, [key]);
  if (plain === undefined) return NO_RECORD;
  if (hasRevision(plain)) return ok('Always', 'Nothing to do.');
  const asked = await settle(async () => await firstOf(inquiry, [key, 'revision']));
  if ('error' in asked && !isRefusal(asked.error)) throw asked.error;
  if ('value' in asked && asked.value.some(hasRevision)) {
    return ok('When it is asked for by name', 'The nodes ask for it.');
  }
  const answer = 'error' in asked ? 'Never; asking for it is refused' : 'Never';
  return limited(
    answer,
    'Get Many returns no revision (use Get), Sync does not work, and the trigger reads lists with all their parts: slower.',
  );
}

async function firstOf(inquiry: Inquiry, keys: readonly string[]): Promise<RawRecord[]> {
  const answer = await inquiry.list([...(await fieldsOf(inquiry, keys)), ['limit', '1']]);
  return readItems(answer?.list).filter(isObject);
}

function hasRevision({ revision }: RawRecord): boolean {
  return isObject(revision) && readFlag(revision.deny_write) && readInteger(revision.val) !== null;
}

async function fieldsOmitted(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const keys = new Set((await inquiry.parts()).map((part) => partKey(part, mode)));
  keys.delete('');
  const [record] = readItems((await inquiry.list([['limit', '1']]))?.list).filter(isObject);
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
  const id = await inquiry.listedId();
  if (id === null)
    return unknown('Not asked: lists carry no record ID', 'See "Do lists carry the record ID?".');
  const ask = async (order: 'asc' | 'desc'): Promise<number[]> =>
    (await inquiry.records([...sortFields(id, order), ['limit', '100']])).map((record) => Number(record.id));
  const [up, down] = [await ask('asc'), await ask('desc')];
  if (up.length < 2) return unknown('There are fewer than two records', NO_RECORD.consequence);
  if (isRising(up) && isRising([...down].reverse())) return ok('By number, both ways', 'Nothing to do.');
  return problem(
    'Not by number',
    'Pages may leave records out while records are added or deleted. Please report this.',
  );
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
}

const onLists = questionsOn('Lists', 'application');

/** Questions about lists. */
export const listQuestions: readonly Question[] = [
  onLists('How many records does a list return at most?', pageLimit),
  onLists('How is an empty list of records written?', emptyList),
  onLists('How is a list of one record written?', singleItem),
  onLists('When do lists carry the revision?', listRevision),
  onLists('Which parts does a list return if none are named?', fieldsOmitted),
  ...permissionQuestions,
  onLists('In which order does a list sorted by ID come?', listOrder),
];
