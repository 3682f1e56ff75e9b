import { isCancelled } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { applicationQuestions } from './applicationQuestions';
import { attachmentQuestions } from './attachmentQuestions';
import { conditionQuestions } from './conditionQuestions';
import { connectionQuestions } from './connectionQuestions';
import type { Inquiry } from './inquiry';
import { listQuestions } from './listQuestions';
import { type Finding, inWords, isGone, Unanswered, unknown } from './finding';
import type { Need, Question } from './question';
import { valueQuestions } from './valueQuestions';

/**
 * All questions of a check, in the order in which they are asked: what the interface leaves open and the nodes depend
 * on.
 */
const QUESTIONS: readonly Question[] = [
  ...connectionQuestions,
  ...applicationQuestions,
  ...listQuestions,
  ...valueQuestions,
  ...attachmentQuestions,
  ...conditionQuestions,
];

export type Answered = Pick<Question, 'area' | 'question'> & Finding;

/** After this many questions in a row without an answer, no more are asked. */
const MOST_WITHOUT_ANSWER = 2;

/**
 * Asks all questions, one after the other; each only reads. A question that cannot be asked is answered `unknown`, with
 * the reason.
 * @throws ServiceError only if the execution was cancelled.
 */
export async function runCheck(inquiry: Inquiry): Promise<Answered[]> {
  const answered: Answered[] = [];
  let withoutAnswer = 0;
  for (const { area, question, needs, ask } of QUESTIONS) {
    const isOver = withoutAnswer >= MOST_WITHOUT_ANSWER && needs !== 'nothing';
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

/** Why a question cannot be asked; `null` if it can. A key may read an application although it may list none. */
async function lackingFor(needs: Need, inquiry: Inquiry): Promise<Finding | null> {
  if (needs === 'nothing') return null;
  const mayList = 'value' in (await settle(async () => await inquiry.connect()));
  if (mayList && needs !== 'application') return null;
  const mayRead = await inquiry.readsApplication();
  if (!mayList && !mayRead)
    return unknown('Not asked: the connection does not work', 'Solve that first, and run the check again.');
  if (needs === 'listing')
    return unknown('Not asked: the key may not list applications', 'Run the check with a key that may.');
  if (mayRead) return null;
  return inquiry.terms.reference === ''
    ? unknown('Not asked: no application is selected', 'Select one, and run the check again.')
    : unknown('Not asked: the application cannot be read', 'Solve that first, and run the check again.');
}

function notFoundOut(error: unknown): Finding {
  if (error instanceof Unanswered) return error.finding;
  return unknown(
    `It could not be asked: ${inWords(error)}`,
    'Run the check again. If this happens again, please report this.',
  );
}
