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
export const handled = (words: string): Finding => ({ verdict: 'handled', answer: worded('Yes', words) });
export const no = (words = ''): Finding => ({ verdict: 'limited', answer: worded('No', words) });
export const wrong = (words = ''): Finding => ({ verdict: 'problem', answer: worded('No', words) });
export const unseen = (what: string): Finding => ({ verdict: 'unknown', answer: `Not seen: ${what}` });

/** Why a question cannot be asked. */
export class NotAsked extends Error {}

/** Whether the service itself is out of reach, rather than this one question. The client has already retried. */
export function isGone(error: unknown): boolean {
  return ['busy', 'lost', 'unreachable'].includes(toServiceError(error).kind);
}

/** A failure in words that may be shown to strangers: the service's own can name applications, parts and people. */
export function inWords(error: unknown): string {
  const { kind, details } = toServiceError(error);
  const number = details.errorNumber === undefined ? [] : [`error number ${details.errorNumber}`];
  const status = details.status === undefined ? [] : [`HTTP ${details.status}`];
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [words, ...number, ...status].join(', ');
}

/** The calls of a check, and what it has learned so far. What several questions need is read once, for the first. */
export class Inquiry {
  private readonly known = new Map<string, Promise<unknown>>();

  /**
   * @param reference application ID, or `@` and an identifier; empty for none.
   * @param mark a text of letters and digits that nobody else has written.
   */
  constructor(
    readonly client: ServiceClient,
    readonly reference: string,
    private readonly openApplication: () => Promise<ApplicationSession>,
    readonly timezone: string,
    readonly mark: string,
  ) {}

  /** What comes of a call. @throws ServiceError if the execution was cancelled. */
  async attempt<T>(call: () => Promise<T>): Promise<Settled<T>> {
    const asked = await settle(call);
    if ('error' in asked && isCancelled(asked.error)) throw asked.error;
    return asked;
  }

  /** The answer to the smallest possible call. */
  async connection(): Promise<Settled<unknown>> {
    return await this.once('connection', async () => await this.attempt(async () => await this.askForOne()));
  }

  async isAlive(): Promise<boolean> {
    const asked = await this.attempt(async () => await this.askForOne());
    return 'value' in asked || !isGone(asked.error);
  }

  async opened(): Promise<Settled<ApplicationSession>> {
    return await this.once('application', async () => await this.attempt(this.openApplication));
  }

  /** @throws NotAsked if nothing works with this key: one that may not list applications may read one. */
  async assertConnected(): Promise<void> {
    const connection = await this.connection();
    if ('value' in connection || (isRefusal(connection.error) && 'value' in (await this.opened()))) return;
    throw new NotAsked('the connection does not work');
  }

  async application(): Promise<ApplicationSession> {
    await this.assertConnected();
    if (this.reference === '') throw new NotAsked('no application is selected');
    const opened = await this.opened();
    if ('value' in opened) return opened.value;
    throw new NotAsked('the application cannot be read');
  }

  /** The newest records. @throws NotAsked if there are none, or none shows what parts are keyed by. */
  async records(): Promise<Sample> {
    const app = await this.application();
    return await this.once('sample', async () => {
      const keyMode = await app.keyMode();
      const sample = keyMode === null ? null : new Sample(app, keyMode, this.timezone);
      const records = sample === null ? [] : await sample.list({ parts: sample.parts });
      if (sample === null || records.length === 0) throw new NotAsked('there is no record');
      return Object.assign(sample, { records });
    });
  }

  private async askForOne(): Promise<unknown> {
    return await this.client.call('list_apps', [['limit', '1']]);
  }

  private async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const answer = this.known.get(name) ?? ask();
    this.known.set(name, answer);
    return (await answer) as T;
  }
}

/** The newest records of an application, with all their parts. */
export class Sample {
  records: readonly RawRecord[] = [];

  readonly parts: readonly Part[];

  /** The ID part; `null` if lists do not carry it. */
  readonly idPart: Part | null;

  constructor(
    readonly app: ApplicationSession,
    readonly keyMode: KeyMode,
    readonly timezone: string,
  ) {
    this.parts = app.application.parts;
    this.idPart = listedId(this.parts, keyMode);
  }

  /** Lists records as the nodes do: the newest hundred, unless something else is asked for. */
  async list(query: Partial<ListQuery>, limit = 100): Promise<RawRecord[]> {
    const { app, keyMode, idPart: part } = this;
    const newest = part === null ? {} : { sort: { part, order: 'desc' as const } };
    return await listParts(app, { parts: [], keyMode, ...newest, ...query }, { offset: 0, limit });
  }

  idIn(record: RawRecord): string | null {
    return this.idPart === null ? null : readId(record, partKey(this.idPart, this.keyMode));
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
