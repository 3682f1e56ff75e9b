import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/model/lookup';
import type { Part } from '../../../parts/model/part';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import { settle } from '../../../util/concurrently';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import { firstRecord } from './firstRecord';
import type { Inquiry } from './inquiry';
import { questionsOn, type Question } from './question';
import { itemsOf } from './rawRecord';
import { refusedOr, type Content, type Item } from './testContent';
import type { RawRecord } from '../../../service/read/recordList';

/** The test record's table part, and the parts in it that rows are written to. */
interface Rows extends Content {
  readonly children: readonly Part[];
  readonly write: (rows: readonly object[]) => Promise<readonly Item[]>;
  readonly idOf: (row: Item | undefined) => string;
}

const NO_TABLE = unknown(
  'There is no table part with a text part in it',
  'Run the check in an application that has one.',
);
async function rowsOf(inquiry: Inquiry): Promise<Rows | null> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  for (const part of records.parts.writable(await inquiry.parts(), 'input_list')) {
    const children = ['textbox', 'textarea'].flatMap((type) => records.parts.writable(part.children, type));
    if (children.length === 0) continue;
    const items = (raw: RawRecord): readonly Item[] => itemsOf(raw, partKey(part, mode), 'child_records');
    const own = ownIdPart(part.children);
    const ownKey = own === null ? '' : partKey(own, mode);
    return {
      records,
      id,
      part,
      items,
      children,
      write: async (rows) =>
        items(await records.change(id, [[records.parts.field(part), JSON.stringify(rows)]])),
      idOf: (row) => textOf(row?.data_id) || textOf(row?.[ownKey]),
    };
  }
  return null;
}

function textOf(value: unknown): string {
  return readText(isObject(value) ? value.val : value);
}

/** Adds two rows, then changes one, leaves the other out and adds a third: which rows are there afterwards? */
async function rowsKept(inquiry: Inquiry): Promise<Finding> {
  const rows = await rowsOf(inquiry);
  if (rows === null) return NO_TABLE;
  const mode = await inquiry.keyMode();
  const [first, second] = rows.children.map((child) => partKey(child, mode));
  const row = (one: string, two: string): object => ({
    [first!]: one,
    ...(second !== undefined && { [second]: two }),
  });
  const added = await settle(async () => await rows.write([row('one', 'kept'), row('two', 'kept')]));
  if ('error' in added) return refusedOr(added.error);
  if (added.value.length !== 2) return problem('Rows are not added', 'Please report this.');
  const id = rows.idOf(added.value[0]);
  if (id === '') {
    return unknown('Not asked: rows carry no ID', 'See "Where does a table row carry its ID?".');
  }
  const changed = await rows.write([{ [first!]: 'changed', data_id: id }, row('three', 'kept')]);
  const kept = changed.find((each) => rows.idOf(each) === id);
  inquiry.rowAfter = kept === undefined || second === undefined ? null : textOf(kept[second]);
  if (kept === undefined || textOf(kept[first!]) !== 'changed') {
    return problem(
      'A row that is sent with its ID is not changed',
      'Do not change rows. Please report this.',
    );
  }
  return changed.length === 2
    ? ok(
        'Sent rows are changed or added, the others are removed',
        'The nodes send the rows that are to stay.',
      )
    : problem('Rows that are not sent stay', 'Rows cannot be deleted. Please report this.');
}

async function omittedChild(inquiry: Inquiry): Promise<Finding> {
  await Promise.resolve();
  switch (inquiry.rowAfter) {
    case null:
      return unknown(
        'Not seen',
        'Run the check in an application whose table part has two text parts, and whose rows have IDs.',
      );
    case 'kept':
      return ok('It stays', 'The nodes send all values of a row anyway.');
    case '':
      return handled('It is emptied', 'The nodes send all values of a row.');
    default:
      return limited('It becomes something else', 'Please report this.');
  }
}

const onTestRows = questionsOn('Table rows', 'testRecord');

/** What happens to rows of a test record. */
export const rowQuestions: readonly Question[] = [
  onTestRows('Which table rows stay after a change?', rowsKept),
  onTestRows('What happens to a value that a sent table row leaves out?', omittedChild),
];
