import type { KeyMode, Part } from '../../../parts/model/part';
import { readInteger } from '../../../parts/values/decimal';
import { readText } from '../../../parts/values/wire';
import type { ApplicationSession } from '../../../service/application/session';
import type { FormField, FormFile } from '../../../service/http/client';
import { isRefusal, toServiceError, wasNotDone } from '../../../service/http/errors';
import { assertAnswersWell } from '../../../service/read/absence';
import { readRecord, type RawRecord } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import { Unanswered } from './finding';
import { newestWith } from './newestWith';
import { FOREIGN, NO_PART, TOO_MANY, UNTRACED } from './notTouched';
import { revisionOf } from './rawRecord';
import { TestParts } from './testParts';

/** Records that a check adds at most. */
const MOST = 3;

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
  /** The parts that can be written. */
  readonly parts: TestParts;

  constructor(
    private readonly app: ApplicationSession,
    private readonly keyMode: KeyMode,
    private readonly mark: string,
    private readonly wasRead: (id: string, raw: RawRecord) => void,
  ) {
    this.parts = new TestParts(app.application.parts, keyMode);
  }

  /** IDs of the records that are there, in the order in which they were added. */
  get ids(): readonly string[] {
    return [...this.marks.keys()];
  }

  /** The part that holds the mark, and a text for it that keeps the mark. */
  marked(id: string, more: string): FormField {
    return [this.parts.field(this.parts.texts[0]!), `${this.marks.get(id) ?? ''} ${more}`];
  }

  /**
   * Adds a record with its mark in one part; where that is refused, in all text parts, because some may be required.
   * @throws ServiceError
   */
  async add(): Promise<Added> {
    const [first, ...others] = this.parts.texts;
    if (first === undefined) {
      throw new Unanswered(NO_PART);
    }
    const added = await settle(async () => await this.insert([first]));
    if ('value' in added) return added.value;
    if (others.length === 0 || !isRefusal(added.error)) throw added.error;
    return await this.insert(this.parts.texts);
  }

  private async insert(parts: readonly Part[]): Promise<Added> {
    if (this.sent >= MOST) {
      throw new Unanswered(TOO_MANY);
    }
    const mark = `${this.mark}-${this.sent + 1}`;
    const values = parts.map((part): FormField => [this.parts.field(part), mark]);
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
    const id =
      key === null ? await newestWith(mark, this.parts, this.app, this.keyMode) : readText(answer[key]);
    if (id !== null) {
      this.marks.set(id, mark);
      await this.read(id);
      return { id, key };
    }
    this.untraced.push(mark);
    throw new Unanswered(UNTRACED);
  }

  /**
   * Reads a record of the check's own.
   * @throws ServiceError also where it does not hold its mark: then it is not touched.
   */
  async read(id: string): Promise<RawRecord> {
    const raw = await readRecord(this.app, id, false);
    if (!this.parts.holdMark(raw, this.marks.get(id))) {
      throw new Unanswered(FOREIGN);
    }
    this.seen.add(id);
    this.wasRead(id, raw);
    return raw;
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
      const traced = await newestWith(mark, this.parts, this.app, this.keyMode);
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
