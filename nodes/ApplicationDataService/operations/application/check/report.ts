import { groupBy } from '../../../util/groupBy';
import type { Verdict } from './finding';
import type { Answered } from './runCheck';

const MEANINGS: Readonly<Record<Verdict, string>> = {
  ok: 'as documented or as expected',
  handled: 'differently, and the nodes handle it',
  limited: 'something works less well',
  problem: 'something does not work',
  unknown: 'not asked, or not seen',
};

/** The report as Markdown. It contains the same texts as the items, so nothing that strangers must not see. */
export function reportOf(answered: readonly Answered[]): string {
  const counts = Object.entries(MEANINGS).map(([verdict, meaning]) => {
    const count = answered.filter((each) => each.verdict === verdict).length;
    return `| ${verdict} | ${count} | ${meaning} |`;
  });
  const sections = groupBy(answered, ({ area }) => area).map(([first, ...others]) =>
    [
      `## ${first.area}`,
      '',
      '| Question | Answer | Verdict | What it means |',
      '|---|---|---|---|',
      ...[first, ...others].map(rowOf),
      '',
    ].join('\n'),
  );
  return [
    '# Check of an Application Data Service',
    '',
    'You can share this report: it contains no access key, no address, no names of applications, parts or people, and no',
    'values of records.',
    '',
    '| Verdict | Questions | |',
    '|---|---|---|',
    ...counts,
    '',
    ...sections,
  ].join('\n');
}

function rowOf({ question, answer, verdict, consequence }: Answered): string {
  return `| ${[question, answer, verdict, consequence].map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
