import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/model/lookup';
import type { Part } from '../../../parts/model/part';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import type { FileContent, FormFile } from '../../../service/http/client';
import { isRefusal } from '../../../service/http/errors';
import type { RawRecord } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import { inWords } from './failure';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import type { Question } from './question';
import type { Inquiry } from './inquiry';
import { itemsOf, type TestRecords } from './testRecords';
import { firstRecord } from './writingQuestions';

type Item = Readonly<Record<string, unknown>>;

/** A part of the test record that holds rows or files. */
interface Content {
  readonly records: TestRecords;
  readonly id: string;
  readonly part: Part;
  readonly items: (raw: RawRecord) => readonly Item[];
}

/** Parts of the test record's table part that rows are written to. */
interface Rows extends Content {
  readonly children: readonly Part[];
  readonly write: (rows: readonly object[]) => Promise<readonly Item[]>;
  readonly idOf: (row: Item | undefined) => string;
}

const NO_TABLE = unknown(
  'There is no table part with a text part in it',
  'Run the check in an application that has one.',
);
const NO_FILES = unknown(
  'There is no attachment part that can be written',
  'Run the check in an application that has one.',
);

async function rowsOf(inquiry: Inquiry): Promise<Rows | null> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  for (const part of records.writable(await inquiry.parts(), 'input_list')) {
    const children = ['textbox', 'textarea'].flatMap((type) => records.writable(part.children, type));
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
      write: async (rows) => items(await records.change(id, [[records.field(part), JSON.stringify(rows)]])),
      idOf: (row) => textOf(row?.data_id) || textOf(row?.[ownKey]),
    };
  }
  return null;
}

function textOf(value: unknown): string {
  return readText(isObject(value) ? value.val : value);
}

/** Rows are added, one of them changed, the other left out, and one added: what is there then? */
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
        'Run the check in an application whose table part has two text parts, and rows IDs.',
      );
    case 'kept':
      return ok('It stays', 'The nodes send all values of a row all the same.');
    case '':
      return handled('It is emptied', 'The nodes send all values of a row.');
    default:
      return limited('It becomes something else', 'Please report this.');
  }
}

function refusedOr(error: unknown): Finding {
  if (!isRefusal(error)) throw error;
  return unknown(
    `It is ${inWords(error)}`,
    'Other values may be required. Run the check in another application.',
  );
}

async function filesOf(inquiry: Inquiry): Promise<Content | null> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  const [part] = records.writable(await inquiry.parts(), 'files');
  if (part === undefined) return null;
  return { records, id, part, items: (raw) => itemsOf(raw, partKey(part, mode), 'attach') };
}

const BYTES = new TextEncoder().encode('check');

function file(name: string, { records, part }: Content): FormFile {
  const content: FileContent = {
    fileName: name,
    type: 'text/plain',
    size: BYTES.length,
    read: async function* () {
      yield await Promise.resolve(BYTES);
    },
  };
  return { name: records.field(part), content };
}

const NAMES = ['check-1.txt', 'check-2.txt'];

async function severalFiles(inquiry: Inquiry): Promise<Finding> {
  const content = await filesOf(inquiry);
  if (content === null) return NO_FILES;
  const { records, id, items } = content;
  const files = NAMES.map((name) => file(name, content));
  const sent = await settle(async () => items(await records.change(id, [], { files })));
  if ('error' in sent) return refusedOr(sent.error);
  const names = NAMES.filter((name) => sent.value.some(({ attachdisp }) => readText(attachdisp) === name));
  if (names.length === 2) return ok('All are kept', 'Nothing to do.');
  const [only] = names;
  if (only === undefined)
    return limited('None is kept under its name', 'Uploads may end as errors. Please report this.');
  return handled(
    only === NAMES[0] ? 'The first is kept' : 'The last is kept',
    'The nodes send the others once more.',
  );
}

async function storedFiles(inquiry: Inquiry): Promise<Finding> {
  const content = await filesOf(inquiry);
  if (content === null) return NO_FILES;
  const { records, id, items } = content;
  const sizes = items(await records.read(id)).map(({ size }) => Number(readText(size)));
  if (sizes.length === 0) return unknown('No file was kept', 'See the question before.');
  return sizes.every((size) => size === BYTES.length)
    ? ok('As they were sent', 'Nothing to do.')
    : handled('In another size', 'The nodes say so in a hint, and do not upload such a file again.');
}

async function removal(inquiry: Inquiry): Promise<Finding> {
  const content = await filesOf(inquiry);
  if (content === null) return NO_FILES;
  const { records, id, items, part } = content;
  let there = items(await records.read(id));
  for (const name of NAMES) {
    if (there.length < 2 && !there.some(({ attachdisp }) => readText(attachdisp) === name)) {
      there = items(await records.change(id, [], { files: [file(name, content)] }));
    }
  }
  if (there.length < 2) return unknown('Two files could not be kept', 'See the questions before.');
  const ids = there.slice(0, 2).map((each) => readText(each.id));
  const name = `${records.field(part)}.del_attachment_id`;
  const removed = await settle(async () =>
    items(
      await records.change(
        id,
        ids.map((each) => [name, each] as const),
      ),
    ),
  );
  if ('error' in removed) {
    if (!isRefusal(removed.error)) throw removed.error;
    return handled(`It is ${inWords(removed.error)}`, 'The nodes remove one file a request.');
  }
  const left = ids.filter((each) => removed.value.some((one) => readText(one.id) === each));
  if (left.length === 0) return ok('All are removed', 'The nodes remove one file a request all the same.');
  if (left.length === 2)
    return problem('None is removed', 'Attachments cannot be removed. Please report this.');
  const answer = left[0] === ids[1] ? 'The first is removed' : 'The last is removed';
  return handled(answer, 'The nodes remove one file a request.');
}

const question = (area: Question['area'], text: string, ask: Question['ask']): Question => ({
  area,
  question: text,
  needs: 'testRecord',
  ask,
});

/** What becomes of rows and files of a test record. */
export const rowQuestions: readonly Question[] = [
  question('Table rows', 'Which table rows stay after a change?', rowsKept),
  question('Table rows', 'What becomes of a value that a sent table row leaves out?', omittedChild),
];
export const fileQuestions: readonly Question[] = [
  question('Attachments', 'Which of several files sent together are kept?', severalFiles),
  question('Attachments', 'How are uploaded files kept?', storedFiles),
];

/** Asked once downloads were tried: no file of the test record is left afterwards. */
export const removalQuestions: readonly Question[] = [
  question('Attachments', 'Which of several files are removed in one request?', removal),
];
