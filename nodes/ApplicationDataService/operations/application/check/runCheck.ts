import { isCancelled } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { applicationQuestions } from './applicationQuestions';
import { conditionQuestions, listQuestions } from './listQuestions';
import type { Inquiry, Need, Question } from './inquiry';
import {
  type Finding,
  inWords,
  isGone,
  NOT_SELECTED,
  Unanswered,
  unknown,
  type FindingVerdict,
} from './finding';
import { valueQuestions } from './valueQuestions';
import { groupBy } from '../../../util/groupBy';

/** All questions in the order in which they are asked: what the interface leaves open and the nodes depend on. */
const QUESTIONS = [...applicationQuestions, ...listQuestions, ...valueQuestions, ...conditionQuestions];

type Answered = Pick<Question, 'area' | 'question'> & Finding;

/** After this many questions in a row without an answer, no more are asked. */
const MAX_WITHOUT_ANSWER = 2;

/**
 * Asks all questions, one after the other; each only reads. A question that cannot be asked is answered `unknown`, with
 * the reason.
 * @throws ServiceError only if the execution was cancelled.
 */
export async function runCheck(inquiry: Inquiry): Promise<Answered[]> {
  const answered: Answered[] = [];
  let withoutAnswer = 0;
  for (const { area, question, needs, ask } of QUESTIONS) {
    const isOver = withoutAnswer >= MAX_WITHOUT_ANSWER && needs !== 'nothing';
    const lacking = isOver ? GONE : await lackingFor(needs, inquiry);
    const found = lacking === null ? await settle(async () => await ask(inquiry)) : { value: lacking };
    if ('error' in found) {
      if (isCancelled(found.error)) throw found.error;
      withoutAnswer = isGone(found.error) ? withoutAnswer + 1 : 0;
      // Perhaps only one kind of call fails. Then the other questions can still be asked.
      if (withoutAnswer === MAX_WITHOUT_ANSWER && (await inquiry.isAlive())) withoutAnswer = 0;
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
    ? NOT_SELECTED
    : unknown('Not asked: the application cannot be read', 'Solve that first, and run the check again.');
}

function notFoundOut(error: unknown): Finding {
  if (error instanceof Unanswered) return error.finding;
  return unknown(
    `It could not be asked: ${inWords(error)}`,
    'Run the check again. If this happens again, please report this.',
  );
}

const MEANINGS: Readonly<Record<FindingVerdict, string>> = {
  problem: 'something does not work',
  limited: 'something works less well',
  unknown: 'not asked, or not seen',
  handled: 'differently, and the nodes handle it',
  ok: 'as documented or as expected',
};

const VERDICTS = Object.keys(MEANINGS) as FindingVerdict[];
const MATTERS: ReadonlySet<FindingVerdict> = new Set(['problem', 'limited', 'unknown']);

/** The answers, those that mean something for the user first. */
export function byImportance(answered: readonly Answered[]): Answered[] {
  return VERDICTS.flatMap((verdict) => answered.filter((each) => each.verdict === verdict));
}

/** How many questions were answered how, e.g. "70 questions: 0 problem, 1 limited". */
export function totalOf(answered: readonly Answered[]): string {
  const counts = VERDICTS.map((verdict) => `${countOf(answered, verdict)} ${verdict}`);
  return `${answered.length} questions: ${counts.join(', ')}`;
}

/** The report as Markdown. It contains the same texts as the items, so nothing that strangers must not see. */
export function reportOf(answered: readonly Answered[]): string {
  const counts = Object.entries(MEANINGS).map(
    ([verdict, meaning]) => `| ${verdict} | ${countOf(answered, verdict)} | ${meaning} |`,
  );
  const matters = byImportance(answered.filter(({ verdict }) => MATTERS.has(verdict)));
  const rest = answered.filter(({ verdict }) => !MATTERS.has(verdict));
  return [
    '# Check of an Application Data Service',
    '',
    `${totalOf(answered)}.`,
    '',
    '| Verdict | Questions | |',
    '|---|---|---|',
    ...counts,
    '',
    'You can share this report: it contains no access key, no address, no names of applications, parts or people, and no',
    'values of records.',
    '',
    ...section('What matters', matters),
    ...groupBy(rest, ({ area }) => area).flatMap((group) => section(group[0].area, group)),
  ].join('\n');
}

function countOf(answered: readonly Answered[], verdict: string): number {
  return answered.filter((each) => each.verdict === verdict).length;
}

function section(title: string, answered: readonly Answered[]): string[] {
  if (answered.length === 0) return [];
  const head = ['| Question | Answer | Verdict | What it means |', '|---|---|---|---|'];
  const rows = answered.map(({ question, answer, verdict, consequence }) => {
    const cells = [question, answer, verdict, consequence].map((text) => text.replaceAll('|', '\\|'));
    return `| ${cells.join(' | ')} |`;
  });
  return [`## ${title}`, '', ...head, ...rows, ''];
}
