import { isRefusal } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { inWords } from './failure';
import { handled, limited, ok, problem, unknown, type Finding } from './finding';
import { questionsOn, type Question } from './question';
import type { Inquiry } from './inquiry';

/** Adds records until there are three, and deletes the last two in one request. */
async function several(inquiry: Inquiry): Promise<Finding> {
  const records = await inquiry.testRecords();
  while (records.ids.length < 3) await records.add();
  const [, ...pair] = records.ids;
  const asked = await settle(async () => await records.remove(pair));
  if ('error' in asked && !isRefusal(asked.error)) throw asked.error;
  const left = await records.lookAgain();
  const there = pair.filter((id) => left.includes(id));
  inquiry.deleted = pair.filter((id) => !left.includes(id));
  if ('error' in asked) {
    return handled(`It is ${inWords(asked.error)}`, 'The nodes send fewer IDs at a time: slower.');
  }
  if (there.length > 0) return limited('Some stay', 'The nodes look again and report each record.');
  return asked.value === 2
    ? ok('All are deleted', 'Nothing to do.')
    : handled('All are deleted, but counted in another way', 'The nodes look again.');
}

/** Sends one request that names a deleted record and an existing one. */
async function oneIsGone(inquiry: Inquiry): Promise<Finding> {
  const records = await inquiry.testRecords();
  const [id] = records.ids;
  const [gone] = inquiry.deleted;
  if (id === undefined || gone === undefined || inquiry.deleted.length < 2) {
    return unknown('Not asked: several were not deleted together', 'See the question before.');
  }
  const asked = await settle(async () => await records.remove([id], [gone]));
  if ('error' in asked && !isRefusal(asked.error)) throw asked.error;
  const isThere = (await records.lookAgain()).includes(id);
  if ('value' in asked) {
    return isThere
      ? limited('Nothing is deleted, without a refusal', 'The nodes look again and report each record.')
      : ok('The others are deleted', 'Nothing to do.');
  }
  return isThere
    ? handled(
        'The request is refused, and nothing is deleted',
        'The nodes halve it until the culprit is alone.',
      )
    : handled(
        'The request is refused, but the others are deleted',
        'The nodes look again and report each record.',
      );
}

async function cleanedUp(inquiry: Inquiry): Promise<Finding> {
  const { ids, untraced } = await (await inquiry.testRecords()).cleanUp();
  if (ids.length > 0) {
    const another = untraced ? '; there may be another one whose ID is not known' : '';
    return problem(
      `It could not remove these records: ${ids.join(', ')}${another}`,
      'Look at them, and delete those whose texts begin with "n8n-check".',
    );
  }
  if (untraced) {
    return problem(
      'A record may be left whose ID is not known',
      'Look for records whose texts begin with "n8n-check", and delete them.',
    );
  }
  return ok('No', 'Nothing to do.');
}

const onDeleting = questionsOn('Deleting', 'testRecord');

/** How records are deleted; the last question leaves nothing behind. */
export const deletionQuestions: readonly Question[] = [
  onDeleting('What happens to several records that are deleted in one request?', several),
  onDeleting('What happens to a request that also names a deleted record?', oneIsGone),
  {
    area: 'Deleting',
    question: 'Did the check leave a record behind?',
    needs: 'writeTest',
    evenIfGone: true,
    ask: cleanedUp,
  },
];
