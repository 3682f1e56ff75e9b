import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/types/id';
import type { KeyMode, Part } from '../../../parts/model/part';
import { type SimplifiedRecord, simplifyRecord } from '../../../parts/record';
import { isEmpty, isObject, readItems } from '../../../parts/values/shapes';
import type { ApplicationSession } from '../../../service/application/session';
import type { Answer } from '../../../service/http/answer';
import { type ServiceClient, nullIfNothingMatches } from '../../../service/http/client';
import { isRefusal, type ServiceError, toServiceError } from '../../../service/http/errors';
import type { FormField } from '../../../service/http/multipart';
import { partFields, type RawRecord, readId, sortFields } from '../../../service/read/recordList';
import { readRecord } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import { limited, Unanswered, unknown, type Finding } from './finding';

interface CheckTerms {
  readonly client: ServiceClient;
  /** A client that sends the access key under another header. */
  readonly clientWithHeader: (name: string) => Promise<ServiceClient>;
  readonly headerName: string;
  /** Application id, or `@` and an identifier; empty for none. */
  readonly reference: string;
  readonly openApplication: (reference: string) => Promise<ApplicationSession>;
  readonly timezone: string;
  readonly now: () => number;
  /** A text of letters and digits that nobody else has written. */
  readonly mark: string;
}

export interface Sampled {
  readonly id: string | null;
  readonly raw: RawRecord;
}

const SAMPLE_LENGTH = 100;

/** The calls of a check, and what it has learned so far. Each call is made once, when the first question needs it. */
export class Inquiry {
  private readonly known = new Map<string, Promise<unknown>>();

  private readonly simplifiedRecords = new WeakMap<RawRecord, SimplifiedRecord>();

  constructor(readonly terms: CheckTerms) {}

  get client(): ServiceClient {
    return this.terms.client;
  }

  /** The smallest possible call. It fails if the service cannot be used. */
  async connect(): Promise<Answer> {
    return await this.once('connect', async () => await this.client.call('list_apps', [['limit', '1']]));
  }

  async isAlive(): Promise<boolean> {
    const asked = await settle(async () => await this.client.call('list_apps', [['limit', '1']]));
    return 'value' in asked || isRefusal(asked.error);
  }

  async application(): Promise<ApplicationSession> {
    const { reference, openApplication } = this.terms;
    return await this.once('application', async () => await openApplication(reference));
  }

  /** Whether the application can be read: a key may do that although it may list none. */
  async readsApplication(): Promise<boolean> {
    return this.terms.reference !== '' && 'value' in (await settle(async () => await this.application()));
  }

  async parts(): Promise<readonly Part[]> {
    return (await this.application()).application.parts;
  }

  /** @throws ServiceError if it cannot be found out. */
  async keyMode(): Promise<KeyMode> {
    const mode = await this.once('keyMode', async () => await (await this.application()).keyMode());
    if (mode !== null) return mode;
    throw new Unanswered(
      unknown(
        'Not asked: it cannot be seen what part values are keyed by',
        'Add a record to the application, and run the check again.',
      ),
    );
  }

  /** The ID part, where lists carry it. */
  async listedId(): Promise<Part | null> {
    const part = ownIdPart(await this.parts());
    return part === null || partKey(part, await this.keyMode()) === '' ? null : part;
  }

  /** The same where nothing can be asked without it. */
  async requiredId(): Promise<Part> {
    const part = await this.listedId();
    if (part !== null) return part;
    throw new Unanswered(
      unknown('Not asked: lists carry no record ID', 'See "Do lists carry the record ID?".'),
    );
  }

  async call(action: string, fields: readonly FormField[]): Promise<Answer> {
    const { reference } = await this.application();
    return await this.client.call(action, [['app_id', reference], ...fields]);
  }

  async count(): Promise<unknown> {
    return (await this.once('count', async () => await this.call('count_data', []))).allcnt;
  }

  /** How the service answers a call for something that does not exist. */
  async failure(action: string, fields: readonly FormField[]): Promise<ServiceError> {
    return await failureOf(async () => await this.call(action, fields));
  }

  async unknownApplication(): Promise<ServiceError> {
    const { client, terms } = this;
    return await failureOf(async () => await client.call('get_app', [['app_id', `@${terms.mark}`]]));
  }

  /** A list of records as it came; `null` if the service says that nothing matches. */
  async list(fields: readonly FormField[], parts?: readonly Part[]): Promise<Answer | null> {
    const named = parts === undefined ? [] : [['fields', partFields(parts, await this.keyMode())] as const];
    return await nullIfNothingMatches(this.call('list_data', [...named, ...fields]));
  }

  async records(fields: readonly FormField[], parts: readonly Part[] = []): Promise<Sampled[]> {
    const id = await this.listedId();
    const answer = await this.list(fields, id === null ? parts : [id, ...parts]);
    return await this.sampledOf(answer);
  }

  async sample(): Promise<Sampled[]> {
    return await this.once('sample', async () => {
      const id = await this.listedId();
      const sort = id === null ? [] : sortFields(id, 'desc');
      const parts = await this.parts();
      return await this.sampledOf(await this.list([...sort, ['limit', String(SAMPLE_LENGTH)]], parts));
    });
  }

  /** The newest record, read by itself; `null` if there is none whose ID is known. */
  async oneRecord(): Promise<RawRecord | null> {
    return await this.once('oneRecord', async () => {
      const known = (await this.sample()).find(({ id }) => id !== null);
      return typeof known?.id === 'string'
        ? await readRecord(await this.application(), known.id, false)
        : null;
    });
  }

  async partsOf(type: string): Promise<readonly Part[]> {
    return (await this.parts()).filter((part) => part.type === type && !part.reference);
  }

  /** All values in the sample of parts of one type as they came, except those in error. Includes empty values. */
  async values(type: string): Promise<{ readonly part: Part; readonly val: unknown }[]> {
    const mode = await this.keyMode();
    const parts = await this.partsOf(type);
    const sample = await this.sample();
    return parts.flatMap((part) => {
      const key = partKey(part, mode);
      return sample.flatMap(({ raw }) => {
        const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
        if (value === undefined || (isObject(value) && !isEmpty(value.error))) return [];
        return [{ part, val: isObject(value) && 'val' in value ? value.val : value }];
      });
    });
  }

  async simplified(raw: RawRecord): Promise<SimplifiedRecord> {
    const known = this.simplifiedRecords.get(raw);
    if (known !== undefined) return known;
    const simplified = simplifyRecord(raw, await this.parts(), { keyMode: await this.keyMode() });
    this.simplifiedRecords.set(raw, simplified);
    return simplified;
  }

  /** The result, or the failure, of a call that several questions need. */
  async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const answer = this.known.get(name) ?? ask();
    this.known.set(name, answer);
    return (await answer) as T;
  }

  private async sampledOf(answer: Answer | null): Promise<Sampled[]> {
    const part = await this.listedId();
    const idKey = part === null ? '' : partKey(part, await this.keyMode());
    return readItems(answer?.list)
      .filter(isObject)
      .map((raw) => ({ raw, id: readId(raw, idKey) }));
  }
}

/** @throws Unanswered if what does not exist is found. */
async function failureOf(call: () => Promise<unknown>): Promise<ServiceError> {
  const asked = await settle(call);
  if ('error' in asked) return toServiceError(asked.error);
  throw new Unanswered(
    limited(
      'It returned something that does not exist',
      'Report this: the nodes cannot find out what exists.',
    ),
  );
}

type Area =
  'Connection' | 'Application' | 'Lists' | 'Values' | 'Table rows' | 'Attachments' | 'Conditions' | 'Sorting';

/**
 * What a question needs: a service that answers, a key that may list applications, or an application that it may read.
 */
export type Need = 'nothing' | 'connection' | 'listing' | 'application';

/** One question that the interface leaves open, or on which the nodes depend. It names its subject. */
export interface Question {
  readonly area: Area;
  readonly question: string;
  readonly needs: Need;
  /** @throws ServiceError if it cannot be asked. */
  readonly ask: (inquiry: Inquiry) => Promise<Finding>;
}

/** Makes the questions on one subject that need the same. */
export function questionsOn(area: Area, needs: Need): (question: string, ask: Question['ask']) => Question {
  return (question, ask) => ({ area, question, needs, ask });
}
