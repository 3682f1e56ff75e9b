import { partKey } from '../../../parts/model/keys';
import { isAddressable } from '../../../parts/model/obstacle';
import type { KeyMode, Part } from '../../../parts/model/part';
import { readInteger } from '../../../parts/values/decimal';
import { isObject } from '../../../parts/values/shapes';
import { readItems, readText } from '../../../parts/values/wire';
import { isWritable } from '../../../parts/writable';
import type { ApplicationSession } from '../../../service/application/session';
import type { FormField, FormFile } from '../../../service/http/client';
import { isRefusal, toServiceError, wasNotDone } from '../../../service/http/errors';
import { ownIdPart } from '../../../parts/model/lookup';
import { assertAnswersWell } from '../../../service/read/absence';
import { listRecords, partFields } from '../../../service/read/recordList';
import { readId, readRecord, type RawRecord } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import { problem, Unanswered, unknown } from './finding';

/** Records that a check adds at most. */
const MOST = 3;

/** Records among which one whose answer was lost is looked for. */
const LOOKED_AT = 100;

const AGAIN = 'Run the check again.';
export const NO_PART = unknown(
  'Not asked: no part of the application can hold a mark',
  'Choose an application with a text part that can be written.',
);
const TOO_MANY = unknown('Not asked: it would take more test records', AGAIN);
const FOREIGN = unknown(
  'Not asked: the test record does not hold what was written, so it is not touched',
  AGAIN,
);
const UNTRACED = problem(
  'The record that was added could not be found again',
  'Create ends as "outcome unknown" where the answer is lost. Please report this.',
);

/** A record that was added. */
export interface Added {
  readonly id: string;
  /** Key under which the service gave the ID; `null` where it gave none. */
  readonly key: string | null;
}

/** What could not be removed. */
export interface Left {
  readonly ids: readonly string[];
  /** A record may have been added whose ID never came. */
  readonly untraced: boolean;
}

/**
 * Records that the check adds for its own use. Each holds a random mark, and only a record that, read back, holds its mark is
 * changed or removed. Automatic processing is off for every write.
 */
export class TestRecords {
  /** The mark of each record that is there, by ID. */
  private readonly marks = new Map<string, string>();
  /** IDs of records that were read once. */
  private readonly seen = new Set<string>();
  /** Marks of records that may have been added, and whose ID is not known. */
  private readonly untraced: string[] = [];
  private sent = 0;
  /** Text parts that can hold the mark; the first one does. */
  readonly textParts: readonly Part[];

  constructor(
    private readonly app: ApplicationSession,
    private readonly keyMode: KeyMode,
    private readonly mark: string,
    private readonly wasRead: (id: string, raw: RawRecord) => void,
  ) {
    const texts = (type: string): Part[] => this.writable(app.application.parts, type);
    this.textParts = [...texts('textbox'), ...texts('textarea')];
  }

  /** IDs of the records that are there, in the order in which they were added. */
  get ids(): readonly string[] {
    return [...this.marks.keys()];
  }

  /** Parts of a type to which values can be written. */
  writable(parts: readonly Part[], type: string): Part[] {
    const isFit = (part: Part): boolean =>
      part.type === type &&
      isWritable(part) &&
      isAddressable(part, parts, this.keyMode) &&
      partKey(part, this.keyMode) !== 'revision';
    return parts.filter(isFit);
  }

  /** The name of a part's form field. */
  field(part: Part): string {
    return `{{${partKey(part, this.keyMode)}}}`;
  }

  /** The part that holds the mark, and a text for it that keeps the mark. */
  marked(id: string, more: string): FormField {
    return [this.field(this.textParts[0]!), `${this.marks.get(id) ?? ''} ${more}`];
  }

  /**
   * Adds a record with its mark in one part; where that is refused, in all text parts, because some may be required.
   * @throws ServiceError
   */
  async add(): Promise<Added> {
    const [first, ...others] = this.textParts;
    if (first === undefined) {
      throw new Unanswered(NO_PART);
    }
    const added = await settle(async () => await this.insert([first]));
    if ('value' in added) return added.value;
    if (others.length === 0 || !isRefusal(added.error)) throw added.error;
    return await this.insert(this.textParts);
  }

  private async insert(parts: readonly Part[]): Promise<Added> {
    if (this.sent >= MOST) {
      throw new Unanswered(TOO_MANY);
    }
    const mark = `${this.mark}-${this.sent + 1}`;
    const values = parts.map((part): FormField => [this.field(part), mark]);
    this.sent += 1;
    const sent = await settle(
      async () =>
        await this.app.client.call('insert_data', [
          ['app_id', this.app.reference],
          ['auto_action', 'off'],
          ...values,
        ]),
    );
    if ('error' in sent && wasNotDone(toServiceError(sent.error))) {
      this.sent -= 1;
      throw sent.error;
    }
    const answer = 'value' in sent ? sent.value : {};
    const key = ['ID', 'id', 'data_id'].find((each) => readText(answer[each]) !== '') ?? null;
    const id = key === null ? await this.trace(mark) : readText(answer[key]);
    if (id !== null) {
      this.marks.set(id, mark);
      await this.read(id);
      return { id, key };
    }
    this.untraced.push(mark);
    throw new Unanswered(UNTRACED);
  }

  /** The newest record that holds a mark. */
  private async trace(mark: string): Promise<string | null> {
    const id = ownIdPart(this.app.application.parts);
    const idKey = id === null ? '' : partKey(id, this.keyMode);
    const [part] = this.textParts;
    if (id === null || idKey === '' || part === undefined) return null;
    const sort = { part: id, order: 'desc' } as const;
    const slice = { offset: 0, limit: LOOKED_AT };
    const list = async (): Promise<RawRecord[]> =>
      await listRecords(this.app, { sort }, slice, partFields([id, part], this.keyMode));
    const listed = await settle(list);
    if ('error' in listed) return null;
    const found = listed.value.find((raw) => this.holds(raw, mark));
    return found === undefined ? null : readId(found, idKey);
  }

  /**
   * Reads a record of the check's own.
   * @throws ServiceError also where it does not hold its mark: then it is not touched.
   */
  async read(id: string): Promise<RawRecord> {
    const raw = await readRecord(this.app, id, false);
    if (!this.holds(raw, this.marks.get(id))) {
      throw new Unanswered(FOREIGN);
    }
    this.seen.add(id);
    this.wasRead(id, raw);
    return raw;
  }

  private holds(raw: RawRecord, mark: string | undefined): boolean {
    const [part] = this.textParts;
    if (part === undefined || mark === undefined) return false;
    const value = raw[partKey(part, this.keyMode)];
    return readText(isObject(value) ? value.val : value).includes(mark);
  }

  /**
   * Changes a record, once it was read and holds its mark, and reads it again.
   * @param revision that was read, if none is given; 0 for none.
   * @throws ServiceError
   */
  async change(
    id: string,
    fields: readonly FormField[],
    { files = [], revision }: { files?: readonly FormFile[]; revision?: number | null } = {},
  ): Promise<RawRecord> {
    const current = revisionOf(await this.read(id));
    await this.app.client.call(
      'update_data',
      [
        ['app_id', this.app.reference],
        ['data_id', id],
        ['{{revision}}', String(revision ?? current ?? 0)],
        ['auto_action', 'off'],
        ...fields,
      ],
      files,
    );
    return await this.read(id);
  }

  /**
   * Removes records in one request, once each was read and holds its mark.
   * @param gone IDs of records of the check's own that are removed already, to be named besides.
   * @returns how many the service says it removed.
   * @throws ServiceError
   */
  async remove(ids: readonly string[], gone: readonly string[] = []): Promise<number | null> {
    for (const id of ids) await this.read(id);
    const { delete_count: count } = await this.app.client.call('delete_data', [
      ['app_id', this.app.reference],
      ['data_id', [...ids, ...gone].join(',')],
    ]);
    return readInteger(count);
  }

  /** Looks which of the records are still there, and forgets the others. */
  async lookAgain(): Promise<readonly string[]> {
    for (const id of this.ids) {
      const read = await settle(async () => await readRecord(this.app, id, false));
      if ('value' in read || !isRefusal(read.error) || !this.seen.has(id)) continue;
      // A refusal says that it is gone only if the application answers well otherwise.
      const well = await settle(async () => await assertAnswersWell(this.app));
      if ('value' in well) this.marks.delete(id);
    }
    return this.ids;
  }

  /** Removes what is there, one by one and each twice if need be. Never throws. */
  async cleanUp(): Promise<Left> {
    for (const mark of this.untraced.splice(0)) {
      const traced = await this.trace(mark);
      if (traced === null) this.untraced.push(mark);
      else this.marks.set(traced, mark);
    }
    for (let tries = 0; tries < 2 && this.ids.length > 0; tries++) {
      for (const id of this.ids) await settle(async () => await this.remove([id]));
      await this.lookAgain();
    }
    return { ids: this.ids, untraced: this.untraced.length > 0 };
  }
}

/** The revision of a record; `null` where it carries none. */
export function revisionOf(raw: RawRecord): number | null {
  const { revision } = raw;
  return readInteger(isObject(revision) ? revision.val : revision);
}

/** The items of a container of a part value, such as rows or files. */
export function itemsOf(raw: RawRecord, key: string, container: string): Record<string, unknown>[] {
  const value = raw[key];
  const val = isObject(value) ? value.val : value;
  return readItems(isObject(val) && container in val ? val[container] : val).filter(isObject);
}
