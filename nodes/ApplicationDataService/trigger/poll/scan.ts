import { counted } from '../../util/counted';
import { idNumber } from '../state/ids';
import type { OpenScan } from '../state/triggerState';
import { judge, remembered, wasThereBefore, type Candidate } from './compare';
import type { PollContext, RecordVersion } from './context';
import { emit } from './emit';
import { VersionPages } from './versionPages';
import { shareOf, type Budget } from './time';

/** One scan, or quick pass, of so many proves that a page shorter than requested is the last one. */
export const PROVE_EVERY = 10;

/** The part of the open scan that a poll does. */
export class ScanPart<R, T> {
  /** In order of IDs. */
  private found: Candidate<R>[] = [];
  private readonly pages: VersionPages<R>;
  /** How far the list was read. */
  private end: string | null;

  constructor(
    private readonly scan: OpenScan,
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
  ) {
    this.end = scan.after;
    // The other half of the time is for reading the changed records.
    this.pages = new VersionPages(scan, shareOf(budget, 0.5), context, () => this.expectsMore());
  }

  /**
   * Goes on until the scan is done, its time is over or `room` changes were found, outputs them, and updates the state
   * accordingly. Everything up to the ID that it leaves in the state is done.
   * @throws the failure that ended it early.
   */
  async run(room: number): Promise<void> {
    const broken = await this.read(room);
    const { left, failure = broken } = await emit(this.found, room, this.budget, this.context);
    this.moveOn(left);
    if (failure !== undefined) throw failure as Error;
  }

  /** Reads pages and compares them. @returns the failure that ended it early. */
  private async read(room: number): Promise<unknown> {
    const { state, source } = this.context;
    try {
      for await (const { versions, offset } of this.pages.read()) {
        // New records cannot be distinguished from old ones by their IDs, as it seemed so far.
        if (offset === null) [this.found, this.end] = [[], this.scan.after];
        for (const version of versions) this.look(version, offset);
        if (this.found.length > room) break;
      }
      // The first scan assumes that records it did not meet do not exist: wrong if the application is not running.
      if (this.pages.isAtEnd && state.baseline !== null) await source.assertRunning();
    } catch (failure) {
      this.pages.isAtEnd = false;
      return failure;
    }
    return undefined;
  }

  /**
   * Whether a page shorter than requested may not be the last one, because the service may return fewer records at once
   * than it says: while known records have not come, and now and then. The first scan goes on to the records that were
   * there when it began; later ones are found by the next scan, and this one would never end in an application that
   * grows.
   */
  private expectsMore(): boolean {
    const { state, memory } = this.context;
    const { baseline, records } = state;
    if (records.hasUnmetAfter(this.scan.after)) return true;
    if (baseline === null) return memory.passes.scan % PROVE_EVERY === 0;
    const { highestId, emitExisting } = baseline;
    return emitExisting || highestId === null || idNumber(this.end ?? '') < highestId;
  }

  /** Moves the cursor to the end of what was read, or to before the first record that is not output yet. */
  private moveOn(left: Candidate | null): void {
    const { state, memory } = this.context;
    const { after, newest } = this.scan;
    const from = idNumber(after ?? '');
    if (left === null && this.pages.isAtEnd) {
      state.records.sweep(from, Infinity);
      this.endBaseline();
      state.scan = null;
      state.settling = true;
      memory.passes.scan += 1;
      if (state.quick !== null && newest > state.quick.boundary)
        state.quick = { ...state.quick, boundary: newest };
      return;
    }
    const to = left === null ? this.end : String(idNumber(left.id) - 1);
    state.records.sweep(from, idNumber(to ?? ''));
    state.scan = { newest, after: to };
    memory.place = { after: to, offset: left === null ? this.pages.offset : (left.offset ?? 0) };
  }

  /** The first scan is done. A different credential may not see everything that the previous one saw. */
  private endBaseline(): void {
    const { state, warn } = this.context;
    const { records } = state;
    const missing = state.baseline?.adopts === true ? records.missing() : [];
    for (const id of missing) records.remove(id);
    if (missing.length > 0)
      warn(
        `${counted(missing.length, 'record is', 'records are')} not visible with the current credential, and forgotten instead of reported as deleted`,
      );
    state.baseline = null;
  }

  private look(version: RecordVersion<R>, offset: number | null): void {
    const { state, settings } = this.context;
    const { records } = state;
    const { id, revision } = version;
    this.end = id;
    if (version.isOut === true) return records.markFilteredOut(id);
    records.meet(id);
    // Waiting records are tried separately.
    if (state.waiting.has(id)) return;
    const known = records.get(id);
    const verdict = judge(version, known, wasThereBefore(id, state.baseline), settings, state.records);
    if (verdict === 'emit') this.found.push({ id, version, revision, known, offset });
    if (verdict !== 'remember') return;
    records.set(id, remembered(version, known));
    records.meet(id);
  }
}
