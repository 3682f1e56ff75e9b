import { isCancelled, type ServiceError, toServiceError } from '../../../service/http/errors';

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

export const ok = finding('ok');
export const handled = finding('handled');
export const limited = finding('limited');
export const problem = finding('problem');
export const unknown = finding('unknown');

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
