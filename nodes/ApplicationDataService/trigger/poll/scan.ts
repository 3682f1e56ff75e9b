import { ServiceError } from '../../service/http/errors';
import { counted } from '../../util/counted';
import { settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { Version } from '../source/version';
import { idNumber } from '../state/recordTable';
import type { OpenScan } from '../state/stateCodec';
import { decide, isLearned, remembered } from './compare';
import type { PollContext } from './context';
import { type Candidate, emit } from './emit';

/** So many changes are read and output together, at most. */
const MAX_FOUND = 5000;
/** What a hash takes in the state: four bytes that hardly compress, as text, and a little more. */
const CHARACTERS_PER_HASH = 6;
const MAX_HASH_CHARACTERS = 4_000_000;
/** If more are missing at once, the list is counted: it may have been cut. */
const MAX_LOST = 100;

/**
 * Goes on with the open scan: compares IDs and revisions of all records with the state, outputs what is new or changed,
 * and flags what is not listed as missing. Everything up to the place that it leaves in the state is done; it leaves
 * none once all is done.
 * @throws the failure that ended it early.
 */
export async function scan<T>(open: OpenScan, context: PollContext<T>): Promise<void> {
  const part = new Scan(open, context);
  await part.run();
}

class Scan<T> {
  private found: Candidate[] = [];
  /** Up to where the list was compared, and up to where everything is output, too. */
  private end: string | null;
  private offset: number;
  private done: string | null;
  /** Something that was found could not be output. */
  private isStuck = false;
  /** Records that waited before, and were not met. */
  private readonly waitUnmet: Set<string>;

  constructor(
    private readonly open: OpenScan,
    private readonly context: PollContext<T>,
  ) {
    this.done = this.end = open.after;
    this.offset = open.offset;
    this.waitUnmet = new Set(context.state.waiting.keys());
  }

  async run(): Promise<void> {
    const outcome = await settle(async () => await this.compare());
    // What was found is output, although the list goes no further.
    if (!this.isStuck) await this.output();
    if ('error' in outcome) throw outcome.error;
    if (outcome.value && !this.isStuck) await this.finish();
  }

  /** Compares the list with the state, as long as there is time and room. @returns whether it came to its end. */
  private async compare(): Promise<boolean> {
    const { time, source, state } = this.context;
    const { after, offset } = this.open;
    const last = idNumber(after ?? '');
    const from = {
      offset,
      wasRead: (id: string) => idNumber(id) <= last,
      // If there is no time for another page, the next poll begins there.
      moved: (to: number) => void (state.scan = { ...this.open, offset: to }),
    };
    // The other half of the time is for reading what changed.
    const half = time.share(0.5);
    for await (const versions of source.list({ order: 'id', whole: false }, after === null ? {} : { from })) {
      for (const version of versions) this.look(version, this.offset++);
      this.assertRoom();
      if (this.found.length >= Math.min(MAX_FOUND, this.room + 1)) await this.output();
      if (this.isStuck) return false;
      if ((this.found.length === 0 ? time : half).left() <= 0) return false;
    }
    return true;
  }

  private get room(): number {
    const { settings, emitted } = this.context;
    return settings.maxRecords - emitted.length;
  }

  private look(version: Version, offset: number): void {
    const { state, settings, tried } = this.context;
    const { records } = state;
    const { id, meets } = version;
    if (id === '') return;
    if (this.end === null || idNumber(id) > idNumber(this.end)) this.end = id;
    this.waitUnmet.delete(id);
    const known = records.get(id);
    // Before anything is learned: that it is unknown does not show that another key sees more.
    if (meets === 'no') return records.markOutside(id);
    const isOld = known === undefined && !state.waiting.has(id) && isLearned(id, state);
    if (meets === 'unsure') {
      // What the first scan cannot judge is known, and told when it meets the conditions after a change.
      if (isOld) records.set(id, remembered(version, undefined));
      return records.markOutside(id);
    }
    records.meet(id);
    if (tried.has(id)) return;
    const verdict = decide(version, known, isOld, settings, records.isFull);
    if (verdict === 'emit') this.found.push({ id, version, offset });
    if (verdict === 'remember') records.set(id, remembered(version, known));
  }

  /**
   * Outputs what was found, as far as there is room, and moves on to the end of what was read, or to before the first
   * record that is not output yet.
   */
  private async output(): Promise<void> {
    const { context } = this;
    const { left, failure } = await emit(this.found, 'id', context.time, context);
    this.isStuck = left !== null || failure !== undefined;
    this.moveOn(left);
    this.found = [];
    if (failure !== undefined) throw failure;
  }

  private moveOn(first: Candidate | null): void {
    const { state } = this.context;
    const to = first === null ? this.end : String(idNumber(first.id) - 1);
    this.sweep(idNumber(to ?? ''));
    this.done = to;
    const offset = first === null ? this.offset : first.offset;
    if (to !== this.open.after) state.scan = { ...this.open, after: to, offset };
  }

  /** What the list does not show up to an ID is missing, and waits no longer. */
  private sweep(high: number): void {
    const { records, waiting, learnsUpTo } = this.context.state;
    const low = idNumber(this.done ?? '');
    records.sweep(low, high);
    // While records are learned, one that is dropped would be learned without a word.
    if (learnsUpTo !== null) return;
    for (const id of this.waitUnmet) if (idNumber(id) > low && idNumber(id) <= high) waiting.delete(id);
  }

  /** The list has come to its end: what it did not show is missing. */
  private async finish(): Promise<void> {
    const { state } = this.context;
    const { records, learnsUpTo, quick } = state;
    this.sweep(Infinity);
    const isEarly = learnsUpTo !== null && (this.end === null || idNumber(this.end) < learnsUpTo);
    if (isEarly || records.missingSize > MAX_LOST) await this.assertEnd();
    if (learnsUpTo !== null) this.endLearning();
    const { newest, began } = this.open;
    if (quick !== null)
      state.quick = { ...quick, watermark: [quick.watermark, newest].sort()[1]!, scanned: began };
    state.scan = null;
  }

  /** @throws ServiceError if the service counts more than it listed: then the next poll begins again. */
  private async assertEnd(): Promise<void> {
    const { state, source } = this.context;
    const count = await source.countAtEnd();
    if (count <= this.offset) return;
    for (const id of state.records.missing()) state.records.forgetMissing(id);
    state.scan = null;
    throw listsLess(count, this.offset);
  }

  /** All records were met once. Another key may not see everything that the last one saw. */
  private endLearning(): void {
    const { state, warn } = this.context;
    state.learnsUpTo = null;
    const unseen = state.knownUpTo < 0 ? [] : state.records.missing();
    for (const id of unseen) state.records.remove(id);
    if (unseen.length > 0)
      warn(
        `${counted(unseen.length, 'record is', 'records are')} not visible with the current credential, and forgotten instead of reported as deleted`,
      );
  }

  private assertRoom(): void {
    const { size, hashes } = this.context.state.records;
    if (size * hashes.length * CHARACTERS_PER_HASH <= MAX_HASH_CHARACTERS) return;
    throw new UserError(
      `There is no room to watch ${counted(hashes.length, 'part')} of ${counted(size, 'record')}`,
      'Watch fewer parts, or narrow the records with a filter.',
    );
  }
}

/** The error of a list that ends although more is counted. */
export function listsLess(count: number, listed: number): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The service counts ${count} records, but lists only ${listed}`,
    'So it is not known which records are there. The next poll lists them again.',
  );
}
