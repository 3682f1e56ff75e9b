import { listsLess } from '../../service/read/paging';
import { counted } from '../../parts/values/describe';
import { idNumber } from '../../util/ids';
import { UserError } from '../../util/userError';
import type { OpenScan } from '../state/stateCodec';
import { learnListed } from './compare';
import { pageLength, type PollContext } from './context';
import { type Candidate, emit } from './emit';

/** What is done about a list that is too short. */
export const LIST_AGAIN = 'So it is not known what is there. The next poll lists the records again.';

const MAX_FOUND = 5000;
/** What a hash takes in the state: four bytes that hardly compress, as text, and a little more. */
const CHARACTERS_PER_HASH = 6;
const MAX_HASH_CHARACTERS = 4_000_000;
/** So many records may be out of sight. */
const MAX_OUTSIDE = 1_000_000;

/**
 * Goes on with the open scan: compares IDs and revisions of all records with the state, outputs what is new or changed,
 * and flags what is not listed as missing. Everything up to the place that it leaves in the state is done; it leaves
 * none once all is done.
 */
export class Scan<T> {
  /** With their places in the list. */
  private candidates: (Candidate & { readonly offset: number })[] = [];
  /** Up to which ID the list was compared, and how many records it held up to there. */
  private comparedTo: number;
  private offset: number;
  /** Something that was found could not be output. */
  private isStuck = false;

  constructor(
    /** Up to its place everything is output, too. */
    private open: OpenScan,
    private readonly context: PollContext<T>,
  ) {
    this.comparedTo = open.after;
    this.offset = open.offset;
  }

  /** @throws the failure that ended it early. */
  async run(): Promise<void> {
    let isAtEnd = false;
    try {
      isAtEnd = await this.compare();
    } finally {
      // What was found is output, although the list goes no further.
      if (!this.isStuck) await this.output();
    }
    if (isAtEnd && !this.isStuck) await this.finish();
  }

  /** Compares the list with the state, as long as there is time and room. @returns whether it came to its end. */
  private async compare(): Promise<boolean> {
    const { time, source, state, settings, emitted } = this.context;
    const { open } = this;
    const from = {
      offset: open.offset,
      ...(open.offset > 0 && { wasRead: (id: string) => idNumber(id) <= open.after }),
      // If there is no time for another page, the next poll begins there.
      moved: (offset: number) => void (state.scan = { ...this.open, offset }),
    };
    // The other half of the time is for reading what changed.
    const half = time.share(0.5);
    for await (const versions of source.list('id', { from, ...pageLength(this.context) })) {
      for (const version of versions) {
        const offset = this.offset++;
        this.comparedTo = Math.max(this.comparedTo, version.number);
        if (learnListed(version, this.context)) this.candidates.push({ id: version.id, version, offset });
      }
      this.makeRoom();
      const room = settings.maxRecords - emitted.length;
      if (this.candidates.length >= Math.min(MAX_FOUND, room + 1)) await this.output();
      if (this.isStuck || (this.candidates.length === 0 ? time : half).left() <= 0) return false;
    }
    return true;
  }

  /**
   * Outputs what was found, as far as there is room, and moves on to the end of what was read, or to before the first
   * record that is not output yet.
   */
  private async output(): Promise<void> {
    const { context, open } = this;
    const { state, time } = context;
    const { left, failure } = await emit(this.candidates, time, context);
    this.candidates = [];
    this.isStuck = left !== null || failure !== undefined;
    const after = left === null ? this.comparedTo : idNumber(left.id) - 1;
    if (after !== open.after) {
      state.records.flagMissing(open.after, after);
      state.scan = this.open = { ...open, after, offset: left === null ? this.offset : left.offset };
    }
    if (failure !== undefined) throw failure;
  }

  /**
   * The list has come to its end: what it did not show is missing.
   * @throws ServiceError if the service counts more than it listed while records are learned: then that begins again.
   */
  private async finish(): Promise<void> {
    const { state, source } = this.context;
    const { records, learnsUpTo, quick } = state;
    const { after, newest, began } = this.open;
    records.flagMissing(after, Infinity);
    const isEarly = learnsUpTo !== null && after < Math.max(0, learnsUpTo);
    const count = isEarly ? await source.countAtEnd() : 0;
    if (count > this.offset) {
      state.scan = null;
      throw listsLess(count, this.offset, LIST_AGAIN);
    }
    records.forgetOutside(records.outside().length - MAX_OUTSIDE);
    state.learnsUpTo = null;
    // What was not tried since the scan began, the scan has not met: it is not told, unless it comes back.
    for (const [id, { at }] of state.waiting) if (at < began) state.waiting.delete(id);
    if (quick !== null) {
      const watermark = [quick.watermark, newest].sort()[1]!;
      // Without any date, only a scan finds what is new.
      state.quick = { ...quick, watermark, scanned: watermark === '' ? 0 : began };
    }
    state.scan = null;
  }

  /** @throws UserError if there is no room for the hashes even if what is out of sight is forgotten. */
  private makeRoom(): void {
    const { records } = this.context.state;
    const parts = records.hashes.length;
    const most = Math.floor(MAX_HASH_CHARACTERS / CHARACTERS_PER_HASH / parts);
    if (records.size > most) records.forgetOutside(records.size - most);
    if (records.size <= most) return;
    throw new UserError(
      `There is no room to watch ${counted(parts, 'part')} of ${counted(records.size, 'record')}`,
      'Watch fewer parts, or narrow the records with a filter.',
    );
  }
}
