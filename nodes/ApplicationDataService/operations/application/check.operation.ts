import { applicationProperty, outputFieldProperty, readApplicationReference } from '../../common/properties';
import { mask } from '../../service/http/credentials';
import { readOperation } from '../run/types';
import { Inquiry, inWords, isGone, resultOf, Unanswered } from './check/inquiry';
import { type Finding, type FindingVerdict, QUESTIONS } from './check/questions';

/**
 * Asks the service, reading only, how it behaves where the interface is silent: `list_apps`, `get_app`, `list_data`,
 * `count_data` and `download_data_file`, with questions from check/questions.ts and the application's newest records.
 * One item a question: what it is, the answer, a verdict and what that means for the user; the first with report.md.
 * All that goes wrong is an answer, not an error, unless the run is cancelled.
 */
export const checkApplication = readOperation({
  resource: 'application',
  value: 'check',
  name: 'Check',
  action: 'Check service behavior',
  description:
    'Find out how this service behaves where its interface is not documented, with a report that you can share',
  properties: [
    {
      ...applicationProperty,
      required: false,
      description: 'The application to check. If empty, the node checks only the connection.',
    },
    outputFieldProperty('report'),
  ],
  options: {},
  async execute(item) {
    const field = item.requiredText('binaryPropertyName', 'The name of the field for the file');
    const { context, session } = item.run;
    const reference = readApplicationReference(item.value('application', ''));
    const inquiry = new Inquiry(session.client, item.timezone);
    const answered = await runCheck(
      inquiry,
      reference === '' ? null : async () => await session.application(reference),
    );
    item.run.hints.add(totalOf(answered));
    const report = Buffer.from(mask(reportOf(answered)));
    const file = await context.helpers.prepareBinaryData(report, 'report.md', 'text/markdown');
    return answered.map((each, index) => ({
      json: { ...each },
      ...(index === 0 && { binary: { [field]: file } }),
    }));
  },
});

type Answered = Readonly<Record<'area' | 'question' | 'answer' | 'verdict' | 'consequence', string>>;

/** What matters to the user comes first. */
const VERDICTS: readonly FindingVerdict[] = ['problem', 'limited', 'unknown', 'handled', 'ok'];

/** What the others mean depends on the question. */
const CONSEQUENCES: Partial<Record<FindingVerdict, string>> = {
  ok: 'Nothing to do.',
  handled: 'Nothing to do: the nodes handle it.',
  unknown: 'Run the check again when this is different, or in another application.',
};

/**
 * Asks all questions, one after the other, and no more once the service is out of reach.
 * @throws ServiceError only if the execution was cancelled.
 */
export async function runCheck(inquiry: Inquiry, open: Parameters<Inquiry['begin']>[0]): Promise<Answered[]> {
  await inquiry.begin(open);
  const answered: Answered[] = [];
  let end: Unanswered | null = null;
  for (const [area, questions] of Object.entries(QUESTIONS)) {
    for (const [question, { ask, otherwise }] of Object.entries(questions)) {
      const asked = end === null ? await resultOf(async () => await ask(inquiry)) : { error: end };
      const { verdict, answer } = 'value' in asked ? asked.value : unanswered(asked.error);
      answered.push({ area, question, answer, verdict, consequence: CONSEQUENCES[verdict] ?? otherwise });
      // Perhaps only one kind of call fails. Then the other questions can still be asked.
      if ('error' in asked && isGone(asked.error)) {
        const again = await resultOf(async () => await inquiry.askForOne());
        if ('error' in again && isGone(again.error))
          end = new Unanswered('Not asked: the service stopped answering');
      } else if (answered.length === 1 && verdict !== 'ok')
        end = new Unanswered('Not asked: the connection does not work');
    }
  }
  return VERDICTS.flatMap((verdict) => answered.filter((each) => each.verdict === verdict));
}

function unanswered(error: unknown): Finding {
  const answer = error instanceof Unanswered ? error.message : `It could not be asked: ${inWords(error)}`;
  return { verdict: 'unknown', answer };
}

/** How many questions were answered how, e.g. "25 questions: 0 problem, 1 limited". */
function totalOf(answered: readonly Answered[]): string {
  const counts = VERDICTS.map((verdict) => {
    const { length } = answered.filter((each) => each.verdict === verdict);
    return `${length} ${verdict}`;
  });
  return `${answered.length} questions: ${counts.join(', ')}`;
}

function reportOf(answered: readonly Answered[]): string {
  const rows = answered.map(({ verdict, area, question, answer, consequence }) => {
    const cells = [verdict, area, question, answer, consequence].map((text) => text.replaceAll('|', '\\|'));
    return `| ${cells.join(' | ')} |`;
  });
  return `# Check of an Application Data Service

${totalOf(answered)}.

You can share this report: it contains no access key, no address, no names of applications, parts or people, and no
values of records.

| Verdict | Area | Question | Answer | What it means |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
