import { partKey } from '../../../parts/model/keys';
import { readText } from '../../../parts/values/wire';
import { isRefusal } from '../../../service/http/errors';
import { removalField } from '../../../service/write/form';
import { settle } from '../../../util/concurrently';
import { inWords } from './failure';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import { firstRecord } from './firstRecord';
import type { Inquiry } from './inquiry';
import { questionsOn, type Question } from './question';
import { itemsOf } from './rawRecord';
import { refusedOr, type Content } from './testContent';
import type { FileContent, FormFile } from '../../../service/http/multipart';

const NO_FILES = unknown(
  'There is no attachment part that can be written',
  'Run the check in an application that has one.',
);

async function filesOf(inquiry: Inquiry): Promise<Content | null> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  const [part] = records.parts.writable(await inquiry.parts(), 'files');
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
  return { name: records.parts.field(part), content };
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
  const field = records.parts.field(part);
  const removed = await settle(async () =>
    items(
      await records.change(
        id,
        ids.map((each) => removalField(field, each)),
      ),
    ),
  );
  if ('error' in removed) {
    if (!isRefusal(removed.error)) throw removed.error;
    return handled(`It is ${inWords(removed.error)}`, 'The nodes remove one file per request.');
  }
  const left = ids.filter((each) => removed.value.some((one) => readText(one.id) === each));
  if (left.length === 0) return ok('All are removed', 'The nodes still remove one file per request.');
  if (left.length === 2)
    return problem('None is removed', 'Attachments cannot be removed. Please report this.');
  const answer = left[0] === ids[1] ? 'The first is removed' : 'The last is removed';
  return handled(answer, 'The nodes remove one file per request.');
}

const onTestFiles = questionsOn('Attachments', 'testRecord');

/** What happens to files of a test record. */
export const fileQuestions: readonly Question[] = [
  onTestFiles('Which of several files sent together are kept?', severalFiles),
  onTestFiles('How are uploaded files kept?', storedFiles),
];

/** Asked after the download questions, because it removes the files of the test record. */
export const removalQuestions: readonly Question[] = [
  onTestFiles('Which of several files are removed in one request?', removal),
];
