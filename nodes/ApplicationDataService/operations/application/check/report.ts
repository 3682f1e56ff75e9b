import { groupBy } from '../../../util/groupBy';
import type { FindingVerdict } from './finding';
import type { Answered } from './runCheck';

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
    ...groupBy(rest, ({ area }) => area).flatMap(([first, ...others]) =>
      section(first.area, [first, ...others]),
    ),
  ].join('\n');
}

function countOf(answered: readonly Answered[], verdict: string): number {
  return answered.filter((each) => each.verdict === verdict).length;
}

function section(title: string, answered: readonly Answered[]): string[] {
  if (answered.length === 0) return [];
  const head = ['| Question | Answer | Verdict | What it means |', '|---|---|---|---|'];
  return [`## ${title}`, '', ...head, ...answered.map(rowOf), ''];
}

function rowOf({ question, answer, verdict, consequence }: Answered): string {
  return `| ${[question, answer, verdict, consequence].map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
