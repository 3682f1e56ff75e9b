import type { KeyMode, Part } from '../../../parts/model/part';
import { readText } from '../../../parts/values/wire';
import type { ApplicationSession } from '../../../service/application/session';
import { isRefusal, toServiceError, wasNotDone } from '../../../service/http/errors';
import { assertAnswersWell } from '../../../service/read/absence';
import { readRecord } from '../../../service/read/records';
import { sendDeletion } from '../../../service/write/deletion';
import { insertHead, updateHead, type FormOptions } from '../../../service/write/form';
import { ADDED_ID_KEYS } from '../../../service/write/form';
import { settle, unless } from '../../../util/concurrently';
import type { Added, Left } from './checkTerms';
import { Unanswered } from './finding';
import { newestWith } from './newestWith';
import { FOREIGN, NO_PART, REUSED, TOO_MANY, UNTRACED } from './notTouched';
import { revisionOf } from './rawRecord';
import { TestParts } from './testParts';
import type { FormField, FormFile } from '../../../service/http/multipart';
import type { RawRecord } from '../../../service/read/recordList';

/** How many records a check adds at most. */
const MOST = 3;

/** Automatic processing is off for every write. */
const OPTIONS: FormOptions = { autoAction: false, relookupKeyParts: [] };

/**
 * Test records that the check adds. Each contains a random mark, and only a record that still contains its mark when it is read is
 * changed or removed.
 */
export class TestRecords {
  /** The mark of each record that is there, by ID. */
  private readonly marks = new Map<string, string>();
  /** IDs of records that were read once. */
  private readonly seen = new Set<string>();
  /** Marks of records that may have been added, but whose ID is unknown. */
  private readonly untraced: string[] = [];
  private sent = 0;
  /** Whether a request to add a record was ever made. */
  private hasAdded = false;
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
   * Adds a record with its mark in one part. If that is refused, tries again with all text parts, because some may be required.
   * @throws ServiceError
   */
  async add(): Promise<Added> {
    const [first, ...others] = this.parts.texts;
    if (first === undefined) throw new Unanswered(NO_PART);
    const added = await settle(async () => await this.insert([first]));
    if ('value' in added) return added.value;
    if (others.length === 0 || !isRefusal(added.error)) throw added.error;
    return await this.insert(this.parts.texts);
  }

  private async insert(parts: readonly Part[]): Promise<Added> {
    if (this.sent >= MOST) throw new Unanswered(TOO_MANY);
    const mark = `${this.mark}-${this.sent + 1}`;
    const values = parts.map((part): FormField => [this.parts.field(part), mark]);
    this.sent += 1;
    this.hasAdded = true;
    const sent = await settle(
      async () => await this.app.client.call('insert_data', [...insertHead(this.app, OPTIONS), ...values]),
    );
    if ('error' in sent && wasNotDone(toServiceError(sent.error))) {
      this.sent -= 1;
      throw sent.error;
    }
    const answer = 'value' in sent ? sent.value : {};
    const key = ADDED_ID_KEYS.find((each) => readText(answer[each]) !== '') ?? null;
    const [id] = key === null ? await this.holding(mark) : [readText(answer[key])];
    if (id !== undefined) {
      this.marks.set(id, mark);
      const read = await settle(async () => await this.read(id));
      if ('value' in read) return { id, key };
      // The ID may be that of another record. Then the one that was added is somewhere else.
      if (read.error instanceof Unanswered) this.untraced.push(mark);
      throw read.error;
    }
    this.untraced.push(mark);
    throw new Unanswered(UNTRACED);
  }

  private async holding(mark: string): Promise<string[]> {
    return await newestWith(mark, this.parts, this.app, this.keyMode);
  }

  /**
   * Reads a test record.
   * @throws ServiceError also if it does not contain its mark: then it is not touched.
   */
  async read(id: string): Promise<RawRecord> {
    const raw = await readRecord(this.app, id, false);
    if (!this.parts.holdMark(raw, this.marks.get(id))) throw new Unanswered(FOREIGN);
    this.seen.add(id);
    this.wasRead(id, raw);
    return raw;
  }

  /**
   * Reads a record and, if it contains its mark, changes it. Then reads it again.
   * @param revision to send; without it, the one that was read. 0 skips the service's check.
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
      [...updateHead(this.app, id, revision ?? current ?? 0, OPTIONS), ...fields],
      files,
    );
    return await this.read(id);
  }

  /**
   * Removes records in one request, after reading each of them and checking its mark.
   * @param gone IDs of test records that are already removed, to be named in the same request.
   * @returns how many the service says it removed.
   * @throws ServiceError
   */
  async remove(ids: readonly string[], gone: readonly string[] = []): Promise<number | null> {
    for (const id of ids) await this.read(id);
    for (const id of gone) await this.assertGone(id);
    return await sendDeletion(this.app, [...ids, ...gone]);
  }

  /** A service may reuse the ID of a deleted record for a record that somebody else has added. */
  private async assertGone(id: string): Promise<void> {
    if ((await unless(isRefusal, async () => await readRecord(this.app, id, false))) !== null)
      throw new Unanswered(REUSED);
  }

  /** Finds out which of the records still exist, and forgets the others. */
  async lookAgain(): Promise<readonly string[]> {
    for (const id of this.ids) {
      const read = await settle(async () => await readRecord(this.app, id, false));
      if ('value' in read || !isRefusal(read.error) || !this.seen.has(id)) continue;
      // A refusal proves that it is gone only if the application otherwise answers properly.
      const well = await settle(async () => await assertAnswersWell(this.app));
      if ('value' in well) this.marks.delete(id);
    }
    return this.ids;
  }

  /** Removes the remaining records one by one, with a second try if necessary. Never throws. */
  async cleanUp(): Promise<Left> {
    for (const mark of this.untraced.splice(0)) {
      const [traced] = await this.holding(mark);
      if (traced === undefined) this.untraced.push(mark);
      else this.marks.set(traced, mark);
    }
    // A service may add a record that it refuses, and a proxy may send a request twice.
    for (const id of this.hasAdded ? await this.holding(this.mark) : []) {
      if (!this.marks.has(id)) this.marks.set(id, this.mark);
    }
    for (let tries = 0; tries < 2 && this.ids.length > 0; tries++) {
      for (const id of this.ids) await settle(async () => await this.remove([id]));
      await this.lookAgain();
    }
    return { ids: this.ids, untraced: this.untraced.length > 0 };
  }
}
