import { fetchApplication, isRunning, NotRunningError } from '../../service/application/definition';
import {
  type FailureKind,
  isCancelled,
  isRefusal,
  ServiceError,
  toServiceError,
} from '../../service/http/errors';
import { attempt, settle } from '../../util/concurrently';
import type { NamedApplication } from '../../service/application/session';
import type { Item } from './item';

/**
 * Whether the service is there. After a write in doubt, a call that waited in vain or a refused key, one `get_app` asks
 * for all that failed since the last answer, before another item begins: a person has four records to look at then, and
 * not four hundred.
 */
export class Availability {
  /** Applications of items that failed since the last answer. */
  private readonly suspects = new Map<string, NamedApplication>();
  /** Several items may share one failure. */
  private readonly noted = new WeakSet<ServiceError>();
  private asking: Promise<void> | null = null;
  /** Why no item is begun any more. */
  private gone: ServiceError | null = null;
  /** By their references: why no item of an application is begun any more. */
  private readonly closed = new Map<string, ServiceError>();

  /** To be told how an item ended that failed. */
  note(item: Item, error: unknown): void {
    if (!(error instanceof ServiceError) || error.kind === 'notBegun') return;
    if (this.noted.has(error)) return;
    this.noted.add(error);
    // This call has waited for an answer itself.
    if (isQuestion(error)) this.gone ??= notBegun(error);
    if (!isSuspect(error)) return;
    const app = attempt(() => item.namedApplication());
    // An operation without an application asks nothing.
    if ('value' in app) this.suspects.set(app.value.reference, app.value);
  }

  /** Why an item is not begun; `null` if it may be. */
  async refusalFor(item: Item): Promise<ServiceError | null> {
    if (this.gone === null && this.suspects.size > 0) await (this.asking ??= this.ask());
    if (this.gone !== null || this.closed.size === 0) return this.gone;
    const reference = attempt(() => item.namedApplication().reference);
    return 'value' in reference ? (this.closed.get(reference.value) ?? null) : null;
  }

  private async ask(): Promise<void> {
    for (const app of this.suspects.values()) if (this.gone === null) await this.askFor(app);
    this.suspects.clear();
    this.asking = null;
  }

  private async askFor({ client, reference }: NamedApplication): Promise<void> {
    const answer = await settle(async () => await fetchApplication(client, reference));
    if ('value' in answer) {
      if (!isRunning(answer.value)) this.closed.set(reference, notBegun(new NotRunningError(answer.value)));
      return;
    }
    // A refusal is an answer, too.
    if (!isAnswer(answer.error) && !isCancelled(answer.error))
      this.gone = notBegun(toServiceError(answer.error));
  }
}

/** JSON, also a refusal, which may come with HTTP 403 before the key has worked. */
function isAnswer(error: unknown): boolean {
  if (isRefusal(error)) return true;
  return error instanceof ServiceError && error.details.status === 403 && 'errorNumber' in error.details;
}

/** Where there was no connection, or HTTP 429 in vain. */
function isQuestion({ kind, details }: ServiceError): boolean {
  return kind === 'unreachable' || (kind === 'busy' && details.status === 429);
}

/** A write in doubt, an answer that was waited for in vain, or a key that was refused. */
const SUSPECT: readonly FailureKind[] = [
  'inDoubt',
  'unauthorized',
  'lost',
  'busy',
  'loginPage',
  'redirect',
  'wrongAddress',
];

function isSuspect({ kind, details }: ServiceError): boolean {
  return SUSPECT.includes(kind) || (details.status ?? 0) >= 500;
}

function notBegun(cause: ServiceError): ServiceError {
  const { message, description, details } = cause;
  const { status, said } = details;
  return new ServiceError('notBegun', message, description, { status, said }, cause);
}
