import { partKey } from '../../../parts/model/keys';
import { writeObstacle } from '../../../parts/model/obstacle';
import { codecOf } from '../../../parts/codecs';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import { isCancelled, isRefusal } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { endsCheck, inWords } from './failure';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import { questionsOn, type Question } from './question';
import { firstRecord } from './firstRecord';
import type { Inquiry } from './inquiry';
import { revisionQuestions } from './revisionQuestions';
import { zoneFinding } from './zoneFinding';
import type { FormField } from '../../../service/http/multipart';
import type { RawRecord } from '../../../service/read/recordList';

async function insert(inquiry: Inquiry): Promise<Finding> {
  const records = await inquiry.testRecords();
  const added = await settle(async () => await inquiry.once('added', async () => await records.add()));
  if ('error' in added) {
    if (endsCheck(added.error)) throw added.error;
    if (!isRefusal(added.error)) throw added.error;
    return unknown(
      `The service does not accept a record with texts only: ${inWords(added.error)}`,
      'Choose an application whose other parts may be empty, and a key with the right to add records.',
    );
  }
  // If this fails, later questions miss these values. They call the service again and report why.
  const filled = await settle(async () => await fill(inquiry));
  if ('error' in filled && isCancelled(filled.error)) throw filled.error;
  const { key } = added.value;
  if (key === 'ID') return ok('Under ID', 'Nothing to do.');
  return key === null
    ? limited('Not at all', 'Create does not know the ID of a new record, and ends as "outcome unknown".')
    : handled(`Under ${key}`, 'The nodes read it there.');
}

/** Writes values for the questions about values and conditions. Values that the application refuses are left out. */
async function fill(inquiry: Inquiry): Promise<void> {
  const { records, id } = await firstRecord(inquiry);
  const parts = await inquiry.parts();
  const VALUES = { number: '1234567', date: '2001-02-03', time: '3600', datetime: '2001-02-03T04:05' };
  for (const [type, value] of Object.entries(VALUES)) {
    const [part] = records.parts.writable(parts, type);
    if (part === undefined) continue;
    const changed = await settle(async () => await records.change(id, [[records.parts.field(part), value]]));
    if ('error' in changed && !isRefusal(changed.error)) throw changed.error;
  }
  // A second record with different values, so that conditions have something to exclude.
  const second = await settle(async () => await records.add());
  if ('error' in second && !isRefusal(second.error)) throw second.error;
}

async function zone(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const added = await inquiry.once('reread', async () => await records.read(id));
  return zoneFinding(inquiry.terms, await momentsOf(inquiry, added));
}

/** Values of the date/time parts that the service fills in itself. */
async function momentsOf(inquiry: Inquiry, raw: RawRecord): Promise<string[]> {
  const mode = await inquiry.keyMode();
  const parts = (await inquiry.parts()).filter(
    (part) => part.type === 'datetime' && part.system && !part.reference,
  );
  return parts.map((part) => {
    const value = raw[partKey(part, mode)];
    return readText(isObject(value) ? value.val : value);
  });
}

async function unknownPart(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const field: FormField = [`{{${inquiry.terms.mark}}}`, 'x'];
  const asked = await settle(async () => await records.change(id, [field]));
  if ('value' in asked) {
    return handled('It is ignored', 'The nodes refuse unknown parts themselves, before anything is sent.');
  }
  if (!isRefusal(asked.error)) throw asked.error;
  return ok(`It is ${inWords(asked.error)}`, 'The nodes refuse unknown parts themselves.');
}

async function readonlyPart(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  const parts = (await inquiry.parts()).filter(
    (part) => writeObstacle(part, codecOf(part)) !== null && partKey(part, mode) !== '',
  );
  const part =
    parts.find(({ readOnly, system }) => readOnly && !system) ??
    parts.find(({ type }) => type === 'datetime');
  if (part === undefined)
    return unknown('There is no such part', 'Run the check in an application that has one.');
  const before = readText(partValue(await records.read(id), partKey(part, mode)));
  const value = part.type === 'datetime' ? '2001-02-03T04:05' : '1';
  const asked = await settle(async () => await records.change(id, [[records.parts.field(part), value]]));
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return ok(`It is ${inWords(asked.error)}`, 'The nodes refuse such values themselves.');
  }
  const after = readText(partValue(asked.value, partKey(part, mode)));
  return after !== before && after === value
    ? handled('It is written', 'The nodes refuse such values themselves.')
    : handled('It is ignored', 'The nodes refuse such values themselves.');
}

async function emptied(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const mode = await inquiry.keyMode();
  const [, part] = records.parts.texts;
  if (part === undefined)
    return unknown('There is one text part only', 'Run the check in an application with two.');
  const field = records.parts.field(part);
  const write = async (text: string): Promise<string> =>
    readText(partValue(await records.change(id, [[field, text]]), partKey(part, mode)));
  const asked = await settle(async () => [await write('text'), await write('')]);
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return unknown(
      `It is ${inWords(asked.error)}`,
      'The part may be required. Run the check in another application.',
    );
  }
  const [filled, empty] = asked.value;
  if (filled !== 'text') return limited('A text does not come back as it was written', 'Please report this.');
  return empty === ''
    ? ok('Yes', 'Nothing to do.')
    : problem('No', 'Parts cannot be emptied. Please report this.');
}

function partValue(raw: RawRecord, key: string): unknown {
  const value = raw[key];
  return isObject(value) ? value.val : value;
}

const onWriting = questionsOn('Writing', 'testRecord');

/** Questions about writing, tried on the test records. */
export const writingQuestions: readonly Question[] = [
  { ...onWriting('Where does the service return the ID of a new record?', insert), needs: 'writeTest' },
  onWriting("In which time zone are the service's times?", zone),
  ...revisionQuestions,
  onWriting('What happens to a value for a part that does not exist?', unknownPart),
  onWriting('What happens to a value for a part that cannot be written?', readonlyPart),
  onWriting('Does an empty text empty a part?', emptied),
];
