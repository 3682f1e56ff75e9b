import { isCancelled, isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { isObject, readItems } from '../../../parts/values/shapes';
import type { Answer } from '../../../service/http/answer';
import { NO_MATCHING_DATA } from '../../../service/http/client';

/**
 * `ok`: as documented or expected. `handled`: different, but the nodes handle it. `limited`: something works less well.
 * `problem`: something does not work. `unknown`: not asked, or the answer is inconclusive.
 */
export type FindingVerdict = 'ok' | 'handled' | 'limited' | 'problem' | 'unknown';

/**
 * The answer to a question. Users share the report with strangers: no text may contain the access key, an address, a
 * name of an application, a part or a person, or a value of a record.
 */
export interface Finding {
  readonly answer: string;
  readonly verdict: FindingVerdict;
  /** What the answer means for the user; for `unknown`, how to find out. */
  readonly consequence: string;
}

const finding =
  (verdict: FindingVerdict) =>
  (answer: string, consequence: string): Finding => ({ answer, verdict, consequence });

export const ok = (answer: string, consequence = 'Nothing to do.'): Finding =>
  finding('ok')(answer, consequence);
export const handled = finding('handled');
export const limited = finding('limited');
export const problem = finding('problem');
export const unknown = finding('unknown');

/** A form that an answer may have, and what it means. */
export type Form<T> = readonly [fits: (value: T) => boolean, finding: Finding];

/** The finding of the first form that a value has. */
export function formOf<T>(value: T, forms: readonly Form<T>[], other: Finding): Finding {
  return forms.find(([fits]) => fits(value))?.[1] ?? other;
}

const ORDER: readonly FindingVerdict[] = ['problem', 'limited', 'handled', 'ok', 'unknown'];

/** Joins findings into one: the worst verdict, with all answers. @param none what to say if there are none. */
export function combined(findings: readonly Finding[], none: Finding): Finding {
  const byAnswer = new Map(findings.map((each) => [each.answer, each]));
  const rank = ({ verdict }: Finding): number => ORDER.indexOf(verdict);
  const [worst = none] = [...byAnswer.values()].sort((one, other) => rank(one) - rank(other));
  return byAnswer.size < 2 ? worst : { ...worst, answer: [...byAnswer.keys()].sort().join(', or: ') };
}

/** A question that cannot be asked or answered, with what to say instead. */
export class Unanswered extends Error {
  constructor(readonly finding: Finding) {
    super(finding.answer);
  }
}

/** The finding if the application has no record to look at. */
export const NO_RECORD = unknown(
  'There is no record',
  'Run the check again once the application holds some.',
);

/** The finding if no application is selected. */
export const NOT_SELECTED = unknown(
  'Not asked: no application is selected',
  'Select one, and run the check again.',
);

/**
 * What an answer brings.
 * @param refused what to say where the service refuses it, in words for strangers.
 * @throws Unanswered then; any other failure as it is.
 */
export async function unlessRefused<T>(
  ask: () => Promise<T>,
  refused: (words: string, error: ServiceError) => Finding,
): Promise<T> {
  const asked = await settle(ask);
  if ('value' in asked) return asked.value;
  const { error } = asked;
  throw isRefusal(error) ? new Unanswered(refused(inWords(error), error)) : error;
}

/**
 * Failures after which the service answers no other call either, at least for a while. The client has already retried
 * them.
 */
const GONE: ReadonlySet<ServiceError['kind']> = new Set(['busy', 'lost', 'unreachable']);

/** Whether the service itself is out of reach, rather than this one question. */
export function isGone(error: unknown): boolean {
  return GONE.has(toServiceError(error).kind);
}

/** Whether the service is out of reach, or the execution was cancelled. */
export function endsCheck(error: unknown): boolean {
  return isCancelled(error) || isGone(error);
}

const WORDS: Partial<Record<ServiceError['kind'], string>> = {
  refused: 'refused',
  unauthorized: 'the access key was not accepted',
  loginPage: 'a login page came instead of data',
  wrongAddress: 'no application-data service is at this address',
  redirect: 'a redirect to another address',
  busy: 'the service is busy',
  badAnswer: 'no readable answer',
  unreachable: 'no connection',
  lost: 'the connection was lost',
  outcomeUnknown: 'it is not known whether the service did it',
};

/**
 * A failure in words that may be shown to strangers: never the service's own, which can name applications, parts and
 * people, and no address.
 */
export function inWords(error: unknown): string {
  const { kind, details } = toServiceError(error);
  const codes = [
    ...(details.errorNumber === undefined ? [] : [`error number ${details.errorNumber}`]),
    ...(details.status === undefined ? [] : [`HTTP ${details.status}`]),
    ...(kind === 'unreachable' && details.connection !== undefined ? [details.connection.reason] : []),
  ];
  const code = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  return `${WORDS[kind] ?? `it failed in the node, ${kind}`}${code}`;
}

const READS_ALIKE = 'The nodes read it as an empty list.';

/** How an empty list is written. `ask` asks for something that does not exist. */
export async function emptyListFinding(ask: () => Promise<Answer>): Promise<Finding> {
  const { list } = await unlessRefused(ask, (words, { details }) =>
    details.errorNumber === NO_MATCHING_DATA
      ? handled(`As a refusal with error number ${NO_MATCHING_DATA}`, READS_ALIKE)
      : problem(
          `As a refusal the nodes do not know: ${words}`,
          'Reads that find nothing end as errors. Please report the error number.',
        ),
  );
  if (readItems(list).length === 0) return emptyForm(list, 'list', READS_ALIKE);
  return limited('It is not empty', 'A keyword that nothing holds finds something: do not rely on keywords.');
}

/** How a list that was limited to one item is written. @param none the finding if it is empty. */
export function singleItemFinding(list: unknown, none: Finding): Finding {
  const item = isObject(list) ? list.item : list;
  if (Array.isArray(item) && item.length === 1) return ok('A list of one');
  if (isObject(item)) return handled('The item itself', 'The nodes read it as a list of one.');
  return readItems(list).length === 0
    ? none
    : limited('More than was asked for', 'The service does not keep to the limit; the nodes do.');
}

/** How an empty container is written. */
export function emptyForm(container: unknown, name: string, alike: string): Finding {
  return formOf(
    container,
    [
      [(given) => given === undefined, handled(`Without ${name}`, alike)],
      [(given) => !isObject(given), handled('As an empty text', alike)],
      [(given) => Array.isArray((given as { item?: unknown }).item), ok('As an empty array')],
      [(given) => 'item' in (given as object), handled('With an empty text as item', alike)],
    ],
    handled('Without item', alike),
  );
}
