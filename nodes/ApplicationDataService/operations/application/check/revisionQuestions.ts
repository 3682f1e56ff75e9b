import { isRefusal } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { inWords } from './failure';
import { handled, ok, problem, unknown, type Finding } from './finding';
import { firstRecord } from './firstRecord';
import type { Inquiry } from './inquiry';
import { questionsOn, type Question } from './question';
import { revisionOf } from './rawRecord';

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
      'It is done anyway',
      'Fail, Skip and Merge overwrite what others changed in the meantime. Please report this.',
    );
  }
  if (!isRefusal(asked.error)) throw asked.error;
  const after = revisionOf(await records.read(id));
  return after === changed
    ? ok(
        `It is ${inWords(asked.error)}`,
        'The nodes read the record again to tell a conflict from another failure.',
      )
    : problem('It is refused, but done anyway', 'Please report this.');
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

const onWriting = questionsOn('Writing', 'testRecord');

/** Questions about how a revision protects a change. */
export const revisionQuestions: readonly Question[] = [
  onWriting('How does the revision grow with a change?', revisionMoves),
  onWriting('What happens to a change under an old revision?', conflict),
  onWriting('What happens to a change under the revision 0?', noCheck),
];
