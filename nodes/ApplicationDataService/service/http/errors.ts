import { UserError } from '../../util/userError';

export type FailureKind =
  | 'refused' // `status` = `ng`, or any other HTTP 4xx: nothing was done
  | 'unauthorized' // the access key was not accepted (HTTP 401 or 403)
  | 'wrongAddress' // the address does not belong to the application-data module
  | 'loginPage' // the service did not recognize the access key
  | 'redirect' // to an address to which the nodes do not send the access key
  | 'busy' // HTTP 429, 502, 503 or 504, even after all tries
  | 'badAnswer' // any other HTTP status from 500 on, or no complete JSON object with a `status`
  | 'unreachable' // the connection could not be made
  | 'lost' // the connection was lost before a complete answer arrived
  | 'cancelled' // someone stopped the execution
  | 'settings' // the credential or an address cannot be used; nothing was sent
  | 'unreadableFile' // a file to upload could not be read, so the request was not completed
  | 'unexpected' // a fault in this package
  | 'notBegun' // the item was not begun, because the service or its application is not there
  | 'conflict' // a record has moved on since it was read
  | 'inDoubt'; // a write may or may not have been done

export interface FailureDetails {
  // What the service answered.
  readonly status?: number | undefined;
  readonly errorNumber?: number;
  /** Its own words, where the message says it in others. */
  readonly said?: string;
  readonly retryAfterMs?: number;

  // What the failure is about.
  readonly partKey?: string;
  readonly ids?: readonly string[];
  /** A record that was refused: the loop looks why, once for all items, and says it (operations/run/outcomes). */
  readonly explain?: string;

  // Whether the call may be made again.
  /** Nothing came for so long that the call was ended: that may have taken minutes. */
  readonly isSlow?: boolean;
  /** Waiting does not help: a bad certificate or a blocked address stays so. */
  readonly isLasting?: boolean;
  /** Of a cancelled call: it may have reached the service. */
  readonly maybeSent?: boolean;

  // Of a write in doubt.
  readonly action?: string;
  /** The revision that the record had when it was sent, or when it was judged last; 0 for none. */
  readonly underRevision?: number;
}

/** A call that failed, worded for the user: neither the access key nor request headers are in it. */
export class ServiceError extends UserError {
  constructor(
    readonly kind: FailureKind,
    message: string,
    description: string,
    readonly details: FailureDetails = {},
    cause?: Error,
  ) {
    super(message, description, cause);
  }

  with(details: FailureDetails): ServiceError {
    const { kind, message, description, cause } = this;
    return new ServiceError(kind, message, description, { ...this.details, ...details }, cause);
  }

  /** About one record, which explains it if it is a refusal. */
  about(recordId: string): ServiceError {
    return this.with({ explain: recordId, ids: [recordId] });
  }

  /** In words that need no explaining. @param said the service's own words, if these are others */
  override reworded(message: string, description = this.description, said = this.details.said): ServiceError {
    const details = { ...this.details, said, explain: undefined };
    return new ServiceError(this.kind, message, description, details, this.cause);
  }
}

const NOT_DONE: readonly FailureKind[] = [
  'refused',
  'unauthorized',
  'unreachable',
  'settings',
  'unreadableFile',
];

/** Whether the answer took too long, for this client or for a proxy in between: it may come if less is asked for. */
export function isTooSlow({ kind, details }: ServiceError): boolean {
  return (kind === 'lost' && details.isSlow === true) || details.status === 504;
}

function wasNotDone({ kind, details }: ServiceError): boolean {
  if (NOT_DONE.includes(kind)) return true;
  if (kind === 'busy') return details.status === 429;
  if (kind === 'cancelled') return details.maybeSent !== true;
  // A page with status 200, even a login page, may be a proxy's, after the service has done its work.
  return kind === 'wrongAddress' && (details.status ?? 0) >= 400;
}

const isOf =
  (kind: FailureKind) =>
  (error: unknown): error is ServiceError =>
    error instanceof ServiceError && error.kind === kind;

export const isRefusal = isOf('refused');
export const isConflict = isOf('conflict');
export const isCancelled = isOf('cancelled');
export const isInDoubt = isOf('inDoubt');

export function unusable(message: string, advice: string): ServiceError {
  return new ServiceError('settings', message, advice);
}

export function badAnswer(
  message: string,
  advice = 'Try again. If this happens again, ask the administrator of the service.',
): ServiceError {
  return new ServiceError('badAnswer', message, advice);
}

export function cancelled(details: FailureDetails = {}, advice = 'Nothing more was sent.'): ServiceError {
  return new ServiceError('cancelled', 'The execution was cancelled', advice, details);
}

/** A message as the rest of a sentence. */
export function asClause(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** What is said first of a write in doubt: the service's own words. What else a cause says is to try again. */
export function whatElse({ kind, description, details: { said } }: ServiceError): string {
  if (kind === 'redirect') return `${description} `;
  return said === undefined ? '' : `${said}. `;
}

/** A failed write: without an answer, with a failure of the service, or with a redirect it may have been done. */
export function asWriteFailure(error: ServiceError, action: string): ServiceError {
  if (wasNotDone(error)) return error;
  // Of other writes it is said which record it is about, where they are judged.
  const what = action === 'insert_data' ? 'the record was added' : 'the service did it';
  return new ServiceError(
    'inDoubt',
    `It is not known whether ${what} (outcome unknown): ${asClause(error.message)}`,
    `${whatElse(error)}Check in the application whether the change is there before you run this item again.`,
    { ...error.details, action },
    error,
  );
}

export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  const message = `Unexpected error: ${cause.message}`;
  return new ServiceError('unexpected', message, 'Please report this as a bug.', {}, cause);
}
