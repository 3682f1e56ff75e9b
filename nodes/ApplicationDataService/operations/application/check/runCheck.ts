import { isCancelled } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { inWords, isGone } from './failure';
import { unknown, Unanswered, type Finding } from './finding';
import type { Need, Question } from './question';
import type { Inquiry } from './inquiry';
import { QUESTIONS } from './questions';
import { NO_PART } from './notTouched';

/** A question with its answer. */
export type Answered = Pick<Question, 'area' | 'question'> & Finding;

/** After this many questions in a row without an answer, no more are asked. */
const MOST_WITHOUT_ANSWER = 2;

/**
 * Asks all questions, one after the other. A question that cannot be asked is answered `unknown`, with the reason. What the
 * check added is removed whatever happens.
 * @throws ServiceError only if the execution was cancelled.
 */
export async function runCheck(inquiry: Inquiry): Promise<Answered[]> {
  const answered: Answered[] = [];
  let withoutAnswer = 0;
  for (const { area, question, needs, evenIfGone, ask } of QUESTIONS) {
    const isOver = withoutAnswer >= MOST_WITHOUT_ANSWER && needs !== 'nothing' && evenIfGone !== true;
    const lacking = isOver ? GONE : await lackingFor(needs, inquiry);
    const found = lacking === null ? await settle(async () => await ask(inquiry)) : { value: lacking };
    if ('error' in found) {
      if (isCancelled(found.error)) throw found.error;
      withoutAnswer = isGone(found.error) ? withoutAnswer + 1 : 0;
      // Perhaps only one kind of call fails. Then the other questions can still be asked.
      if (withoutAnswer === MOST_WITHOUT_ANSWER && (await inquiry.isAlive())) withoutAnswer = 0;
    } else if (lacking === null && needs !== 'nothing') {
      withoutAnswer = 0;
    }
    const finding = 'value' in found ? found.value : notFoundOut(found.error);
    answered.push({ area, question, ...finding });
  }
  return answered;
}

const GONE = unknown('Not asked: the service stopped answering', 'Run the check again later.');

/** Why a question cannot be asked; `null` if it can. */
async function lackingFor(needs: Need, inquiry: Inquiry): Promise<Finding | null> {
  const { reference, writeTest } = inquiry.terms;
  if (needs === 'nothing') return null;
  if ('error' in (await settle(async () => await inquiry.connect()))) {
    return unknown('Not asked: the connection does not work', 'Solve that first, and run the check again.');
  }
  if (needs === 'connection') return null;
  if (reference === '')
    return unknown('Not asked: no application is chosen', 'Choose one, and run the check again.');
  if ('error' in (await settle(async () => await inquiry.application()))) {
    return unknown('Not asked: the application cannot be read', 'Solve that first, and run the check again.');
  }
  if (needs === 'application') return null;
  if (!writeTest) {
    return unknown(
      'Not asked: it needs test records',
      'To find out, turn on "Write Test" in a test application.',
    );
  }
  return await lackingForWrites(needs, inquiry);
}

async function lackingForWrites(needs: Need, inquiry: Inquiry): Promise<Finding | null> {
  const records = await settle(async () => await inquiry.testRecords());
  if ('error' in records) return notFoundOut(records.error);
  if (records.value.parts.texts.length === 0) return NO_PART;
  if (needs === 'writeTest') return null;
  const added = await settle(async () => await inquiry.once('added', async () => await records.value.add()));
  if ('value' in added) return null;
  return unknown(
    'Not asked: no record could be added',
    'See "Where does the service return the ID of a new record?".',
  );
}

function notFoundOut(error: unknown): Finding {
  if (error instanceof Unanswered) return error.finding;
  return unknown(
    `It could not be asked: ${inWords(error)}`,
    'Run the check again. If this happens again, please report this.',
  );
}
