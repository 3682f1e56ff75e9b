import { type HeldValue, heldValues } from '../../../parts/conditions/recordTest';
import { partKey } from '../../../parts/model/keys';
import type { KeyMode, Part } from '../../../parts/model/part';
import { recordReader, type SimplifiedRecord } from '../../../parts/record';
import { ownIdPart } from '../../../parts/types/id';
import type { ApplicationSession } from '../../../service/application/session';
import type { ServiceClient } from '../../../service/http/client';
import { isCancelled, toServiceError } from '../../../service/http/errors';
import { type ListQuery, listParts, type RawRecord } from '../../../service/read/recordList';
import { settle, type Settled } from '../../../util/concurrently';

/** Why there is no answer. */
export class Unanswered extends Error {}

/** What comes of a call. @throws ServiceError if the execution was cancelled. */
export async function resultOf<T>(call: () => Promise<T>): Promise<Settled<T>> {
  const result = await settle(call);
  if ('error' in result && isCancelled(result.error)) throw result.error;
  return result;
}

/** A failure in words that may be shown to strangers: the service's own can name applications, parts and people. */
export function inWords(error: unknown): string {
  const { kind, details } = toServiceError(error);
  const number = details.errorNumber === undefined ? [] : [`error number ${details.errorNumber}`];
  const status = details.status === undefined ? [] : [`HTTP ${details.status}`];
  return [kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), ...number, ...status].join(', ');
}

/** Whether the service itself is out of reach, rather than what was asked. The client has already retried. */
export function isGone(error: unknown): boolean {
  return (
    !(error instanceof Unanswered) && ['busy', 'lost', 'unreachable'].includes(toServiceError(error).kind)
  );
}

/** What the questions are asked of: a service, an application, and its newest records with all their parts. */
export class Inquiry {
  /** A text of letters and digits that nobody else has written. */
  readonly mark = `n8n-check-${crypto.randomUUID().replaceAll('-', '')}`;

  /** What became of the smallest possible call. */
  listing!: Settled<unknown>;

  opening!: Settled<ApplicationSession>;

  private sampling!: Settled<readonly RawRecord[]>;

  /** @param timezone IANA zone of the service's dates and times. */
  constructor(
    readonly client: ServiceClient,
    readonly timezone: string,
  ) {}

  /** @param open `null` where no application is selected. */
  async begin(open: (() => Promise<ApplicationSession>) | null): Promise<void> {
    this.listing = await resultOf(async () => await this.askForOne());
    this.opening = await resultOf(async () => {
      if (open === null) throw new Unanswered('Not asked: no application is selected');
      return await open();
    });
    this.sampling = await resultOf(async () => {
      const records = (await this.app.readKeyMode()) === null ? [] : await this.list({ parts: this.parts });
      if (records.length === 0) throw new Unanswered('Not asked: there is no record');
      return records;
    });
  }

  async askForOne(): Promise<unknown> {
    return await this.client.call('list_apps', [['limit', '1']]);
  }

  /** @throws Unanswered if there is none. */
  get app(): ApplicationSession {
    if ('value' in this.opening) return this.opening.value;
    const { error } = this.opening;
    throw error instanceof Unanswered ? error : new Unanswered('Not asked: the application cannot be read');
  }

  get parts(): readonly Part[] {
    return this.app.application.parts;
  }

  get keyMode(): KeyMode {
    return this.app.knownKeyMode ?? 'name';
  }

  /** The parts whose values a list can hold; not those of other applications. */
  get listedParts(): readonly Part[] {
    return this.parts.filter((part) => !part.reference && partKey(part, this.keyMode) !== '');
  }

  /** The newest records. @throws Unanswered if there are none, or why they cannot be read. */
  newest(): readonly RawRecord[] {
    if ('value' in this.sampling) return this.sampling.value;
    throw this.sampling.error;
  }

  simplified(): readonly SimplifiedRecord[] {
    const read = recordReader(this.parts, this);
    return this.newest().map((record) => read(record));
  }

  /** Lists records as the nodes do: the newest hundred, unless something else is asked for. */
  async list(query: Partial<ListQuery>, limit = 100): Promise<RawRecord[]> {
    const { app, keyMode, listedParts } = this;
    const part = ownIdPart(listedParts);
    const newest = part === null ? {} : { sort: { part, order: 'desc' as const } };
    return await listParts(app, { parts: [], keyMode, ...newest, ...query }, { offset: 0, limit });
  }

  /** The values of a part in a record, none if it is empty; `null` if the record does not show it. */
  held(record: RawRecord, part: Part, byId = false): readonly HeldValue[] | null {
    return heldValues(record, part, this.keyMode, byId);
  }

  valuesOf(part: Part, byId = false): readonly HeldValue[] {
    return this.newest().flatMap((record) => this.held(record, part, byId) ?? []);
  }
}
