import { partKey } from '../../../parts/model/keys';
import { writeObstacle } from '../../../parts/model/obstacle';
import { codecOf } from '../../../parts/codecs';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import type { FormField } from '../../../service/http/client';
import { isRefusal } from '../../../service/http/errors';
import type { RawRecord } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import { endsCheck, inWords } from './failure';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import type { Question } from './question';
import type { Inquiry } from './inquiry';
import { revisionOf, type TestRecords } from './testRecords';
import { zoneFinding } from './zoneFinding';

/** The test record that questions change. */
export async function firstRecord(inquiry: Inquiry): Promise<{ records: TestRecords; id: string }> {
  const records = await inquiry.testRecords();
  const { id } = await inquiry.once('added', async () => await records.add());
  return { records, id };
}

async function insert(inquiry: Inquiry): Promise<Finding> {
  const records = await inquiry.testRecords();
  const added = await settle(async () => await inquiry.once('added', async () => await records.add()));
  if ('error' in added) {
    if (endsCheck(added.error)) throw added.error;
    if (!isRefusal(added.error)) throw added.error;
    return unknown(
      `The service does not take a record that holds texts only: ${inWords(added.error)}`,
      'Choose an application whose other parts may be empty, and a key with the right to add records.',
    );
  }
  await fill(inquiry);
  const { key } = added.value;
  if (key === 'ID') return ok('Under ID', 'Nothing to do.');
  return key === null
    ? limited('Not at all', 'Create cannot tell the ID of a new record, and ends as "outcome unknown".')
    : handled(`Under ${key}`, 'The nodes read it there.');
}

/** Values that questions about values and conditions look at. What the application does not take is left out. */
async function fill(inquiry: Inquiry): Promise<void> {
  const { records, id } = await firstRecord(inquiry);
  const parts = await inquiry.parts();
  const VALUES = { number: '1234567', date: '2001-02-03', time: '3600', datetime: '2001-02-03T04:05' };
  for (const [type, value] of Object.entries(VALUES)) {
    const [part] = records.writable(parts, type);
    if (part === undefined) continue;
    const changed = await settle(async () => await records.change(id, [[records.field(part), value]]));
    if ('error' in changed && !isRefusal(changed.error)) throw changed.error;
  }
  // A second record holds other values than the first, so that conditions have something to leave out.
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

async function revisionMoves(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const before = revisionOf(await records.read(id));
  const after = revisionOf(await records.change(id, [records.marked(id, 'revision')]));
  if (before === null || after === null) {
    return problem('It is missing', 'Changes by others cannot be noticed: only Overwrite works.');
  }
  if (after === before + 1) return ok('By one', 'Nothing to do.');
  return after > before
    ? handled('By more than one', 'The nodes rely on its growing only.')
    : problem('Not at all', 'Changes by others cannot be noticed, and the trigger misses changes.');
}

async function conflict(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const old = revisionOf(await records.read(id));
  const changed = revisionOf(await records.change(id, [records.marked(id, 'first')]));
  if (old === null || changed === old)
    return unknown('The revision does not grow', 'See the question before.');
  const asked = await settle(
    async () => await records.change(id, [records.marked(id, 'second')], { revision: old }),
  );
  if ('value' in asked) {
    return problem(
      'It is done all the same',
      'Fail, Skip and Merge overwrite what others changed meanwhile. Please report this.',
    );
  }
  if (!isRefusal(asked.error)) throw asked.error;
  const after = revisionOf(await records.read(id));
  return after === changed
    ? ok(
        `It is ${inWords(asked.error)}`,
        'The nodes read the record again to tell a conflict from another failure.',
      )
    : problem('It is refused, and done all the same', 'Please report this.');
}

async function noCheck(inquiry: Inquiry): Promise<Finding> {
  const { records, id } = await firstRecord(inquiry);
  const asked = await settle(
    async () => await records.change(id, [records.marked(id, 'zero')], { revision: 0 }),
  );
  if ('value' in asked) return ok('It is done without a check', 'Nothing to do.');
  if (!isRefusal(asked.error)) throw asked.error;
  return problem(`It is ${inWords(asked.error)}`, 'Overwrite fails: choose another conflict policy.');
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
  const asked = await settle(async () => await records.change(id, [[records.field(part), value]]));
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
  const [, part] = records.textParts;
  if (part === undefined)
    return unknown('There is one text part only', 'Run the check in an application with two.');
  const field = records.field(part);
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

const question = (text: string, ask: Question['ask']): Question => ({
  area: 'Writing',
  question: text,
  needs: 'testRecord',
  ask,
});

/** What writes do, tried on records of the check's own. */
export const writingQuestions: readonly Question[] = [
  { ...question('Where does adding a record give its ID?', insert), needs: 'writeTest' },
  question("In which time zone do the service's times stand?", zone),
  question('How does the revision grow with a change?', revisionMoves),
  question('What becomes of a change under an old revision?', conflict),
  question('What becomes of a change under the revision 0?', noCheck),
  question('What becomes of a value for a part that does not exist?', unknownPart),
  question('What becomes of a value for a part that cannot be written?', readonlyPart),
  question('Does an empty text empty a part?', emptied),
];
