import { type HeldValue, heldValues } from '../../../parts/conditions/recordTest';
import { partKey } from '../../../parts/model/keys';
import type { KeyMode, Part } from '../../../parts/model/part';
import { ownIdPart } from '../../../parts/types/id';
import type { ApplicationSession } from '../../../service/application/session';
import type { ServiceClient } from '../../../service/http/client';
import { isCancelled, isRefusal, toServiceError } from '../../../service/http/errors';
import { type ListQuery, listParts, type RawRecord, readId } from '../../../service/read/recordList';
import { settle, type Settled } from '../../../util/concurrently';

/**
 * `ok`: as documented or expected. `handled`: different, but the nodes handle it. `limited`: something works less well.
 * `problem`: something does not work. `unknown`: not asked, or the answer is inconclusive.
 */
export type FindingVerdict = 'ok' | 'handled' | 'limited' | 'problem' | 'unknown';

/** An answer. Users share it with strangers: no key, no address, no name, no value of a record. */
export interface Finding {
  readonly verdict: FindingVerdict;
  readonly answer: string;
}

const worded = (answer: string, words: string): string => (words === '' ? answer : `${answer}: ${words}`);
export const yes = (words = ''): Finding => ({ verdict: 'ok', answer: worded('Yes', words) });
export const no = (words = ''): Finding => ({ verdict: 'limited', answer: worded('No', words) });
export const wrong = (words = ''): Finding => ({ verdict: 'problem', answer: worded('No', words) });

/** Why there is no answer. */
export class Unanswered extends Error {}

/** A failure in words that may be shown to strangers: the service's own can name applications, parts and people. */
export function inWords(error: unknown): string {
  const { kind, details } = toServiceError(error);
  const number = details.errorNumber === undefined ? [] : [`error number ${details.errorNumber}`];
  const status = details.status === undefined ? [] : [`HTTP ${details.status}`];
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [words, ...number, ...status].join(', ');
}

/** What comes of a call. @throws ServiceError if the execution was cancelled. */
export async function resultOf<T>(call: () => Promise<T>): Promise<Settled<T>> {
  const result = await settle(call);
  if ('error' in result && isCancelled(result.error)) throw result.error;
  return result;
}

/** What the questions are asked of. What several of them need is read once, for the first. */
export class Inquiry {
  /** A text of letters and digits that nobody else has written. */
  readonly mark = `n8n-check-${crypto.randomUUID().replaceAll('-', '')}`;

  /**
   * @param reference application ID, or `@` and an identifier; empty for none.
   * @param timezone IANA zone of the service's dates and times.
   */
  constructor(
    readonly client: ServiceClient,
    readonly reference: string,
    private readonly openApplication: () => Promise<ApplicationSession>,
    private readonly timezone: string,
  ) {}

  /** The smallest possible call. */
  async askForOne(): Promise<unknown> {
    return await this.client.call('list_apps', [['limit', '1']]);
  }

  readonly listsApplications = once(async () => await this.askForOne());

  readonly opened = once(async () => await this.openApplication());

  /** @throws Unanswered if nothing works with this key: one that may not list applications may read one. */
  async assertConnected(): Promise<void> {
    const connection = await resultOf(this.listsApplications);
    if ('value' in connection) return;
    if (isRefusal(connection.error) && 'value' in (await resultOf(this.opened))) return;
    throw new Unanswered('Not asked: the connection does not work');
  }

  async application(): Promise<ApplicationSession> {
    await this.assertConnected();
    if (this.reference === '') throw new Unanswered('Not asked: no application is selected');
    const opened = await resultOf(this.opened);
    if ('value' in opened) return opened.value;
    throw new Unanswered('Not asked: the application cannot be read');
  }

  /** The newest records. @throws Unanswered if there are none. */
  readonly sample = once(async () => {
    const app = await this.application();
    const keyMode = await app.readKeyMode();
    const sample = new Sample(app, keyMode ?? 'name', this.timezone);
    sample.records = keyMode === null ? [] : await sample.list({ parts: sample.parts });
    if (sample.records.length === 0) throw new Unanswered('Not asked: there is no record');
    return sample;
  });
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return async () => await (asked ??= ask());
}

/** The newest records of an application, with all their parts. */
export class Sample {
  records: readonly RawRecord[] = [];

  constructor(
    readonly app: ApplicationSession,
    readonly keyMode: KeyMode,
    readonly timezone: string,
  ) {}

  get parts(): readonly Part[] {
    return this.app.application.parts;
  }

  /** Lists records as the nodes do: the newest hundred, unless something else is asked for. */
  async list(query: Partial<ListQuery>, limit = 100): Promise<RawRecord[]> {
    const { app, parts, keyMode } = this;
    const part = listedId(parts, keyMode);
    const newest = part === null ? {} : { sort: { part, order: 'desc' as const } };
    return await listParts(app, { parts: [], keyMode, ...newest, ...query }, { offset: 0, limit });
  }

  /** @throws Unanswered if lists do not carry it. */
  idOf(record: RawRecord): string {
    const part = listedId(this.parts, this.keyMode);
    const id = part === null ? null : readId(record, partKey(part, this.keyMode));
    if (id === null) throw new Unanswered('Not asked: lists carry no record ID');
    return id;
  }

  /** The values of a part in a record, none if it is empty; `null` if the record does not show it. */
  held(record: RawRecord, part: Part, byId = false): readonly HeldValue[] | null {
    return heldValues(record, part, this.keyMode, byId);
  }

  /** All values of parts of a type. */
  valuesOf(type: string, byId = false): readonly HeldValue[] {
    const values = (part: Part) => this.records.flatMap((record) => this.held(record, part, byId) ?? []);
    return this.partsOf(type).flatMap(values);
  }

  /** The parts of a type whose values a list can hold; not those of other applications. */
  partsOf(type: string): readonly Part[] {
    const { parts, keyMode } = this;
    return parts.filter((part) => part.type === type && !part.reference && partKey(part, keyMode) !== '');
  }
}

/** The ID part, if lists carry it. */
export function listedId(parts: readonly Part[], keyMode: KeyMode): Part | null {
  const part = ownIdPart(parts);
  return part === null || partKey(part, keyMode) === '' ? null : part;
}
