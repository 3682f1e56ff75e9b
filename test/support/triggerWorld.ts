import type {
  PageRequest,
  RecordSource,
  RecordVersion,
  Trouble,
  WholeRecord,
} from '../../nodes/ApplicationDataService/trigger/poll/context';
import type { Happening, Snapshot, WorldKind, WorldRecord } from './triggerHappenings';

/** Milliseconds that every call takes. */
export const CALL_MS = 10;

/** A call that failed. */
class WorldFailure extends Error {
  constructor(
    message: string,
    readonly trouble: Trouble,
  ) {
    super(message);
  }
}

/** A service in memory. Its records change between any two calls, and its calls fail when a history says so. */
export class World implements RecordSource<Snapshot> {
  readonly records = new Map<string, WorldRecord>();
  /** The last state of every record that ever existed. */
  readonly everything = new Map<string, WorldRecord>();
  /** Ids of records that a list has left out. */
  readonly unlisted = new Set<string>();
  minute = 0;
  calls = 0;
  /** Milliseconds that calls have taken. */
  spent = 0;
  /** An application under maintenance lists nothing, counts nothing and refuses everything. */
  isRunning = true;
  seesSecrets = true;
  private readonly used = new Set<number>();

  /** Ids in the list when the trigger last requested the highest ones, which it does when it begins. */
  whenAskedForLast: readonly string[] = [];

  /** What happens during calls, one happening before each call. */
  during: Happening[] = [];
  /** How many calls later a call fails; with `failsOn`, all calls after it fail too. */
  failAt: number | null = null;
  failsOn = false;

  constructor(readonly kind: WorldKind) {}

  happen(happening: Happening): void {
    if (happening.kind === 'create') this.create(happening.matches, happening.secret === true);
    if (happening.kind === 'minute') this.minute++;
    if (happening.kind === 'maintenance') this.isRunning = happening.isOver;
    if (happening.kind === 'key') this.seesSecrets = happening.seesSecrets;
    if (!('which' in happening) || this.records.size === 0) return;
    const record = [...this.records.values()][happening.which % this.records.size]!;
    if (happening.kind === 'delete') this.records.delete(record.id);
    if (happening.kind === 'break') record.broken = happening.what;
    if (record.broken === 'list') this.unlisted.add(record.id);
    if (happening.kind === 'change') {
      record.revision++;
      if (happening.watched) record.watched++;
      if (!happening.quiet) record.updated = this.minute;
    }
    if (happening.kind === 'move') {
      record.revision++;
      record.updated = this.minute;
      record.matches = !record.matches;
    }
  }

  /** The records that a list contains, in its order. */
  listed(): WorldRecord[] {
    if (!this.isRunning) return [];
    const listed = [...this.records.values()].filter(
      (record) => (record.matches || !this.kind.narrowed) && this.isSeen(record),
    );
    const rank = ({ id }: WorldRecord): number =>
      this.kind.ascending ? Number(id) : (Number(id) * 7919) % 1009;
    return listed.sort((one, other) => rank(one) - rank(other));
  }

  isSeen({ isSecret }: Snapshot): boolean {
    return this.seesSecrets || !isSecret;
  }

  waitedMs(): number {
    return 0;
  }

  async list(slice: PageRequest): Promise<RecordVersion<Snapshot>[]> {
    const { order, whole = false } = slice;
    if (order === 'lastId') return await this.last(slice.limit);
    const listed = (): WorldRecord[] => {
      if (order === 'newest' && !this.kind.hasNewest) return [];
      const records = this.listed();
      return order === 'id' ? records : records.sort((one, other) => other.updated - one.updated);
    };
    return await this.page(slice, listed, (each) => this.toListed(each, whole));
  }

  private async last(limit: number): Promise<RecordVersion<Snapshot>[]> {
    return await this.call(() => {
      const listed = this.listed();
      this.whenAskedForLast = listed.map(({ id }) => id);
      return listed
        .slice(-limit)
        .reverse()
        .map((each) => this.toListed(each, false));
    });
  }

  async byIds(ids: readonly string[], whole: boolean): Promise<RecordVersion<Snapshot>[]> {
    const asked = (): WorldRecord[] =>
      this.isRunning && this.kind.takesIds
        ? [...this.records.values()].filter((each) => ids.includes(each.id) && this.isSeen(each))
        : [];
    const slice = { offset: 0, limit: ids.length, withinMs: Infinity };
    return await this.page(slice, asked, (each) => this.toListed(each, whole));
  }

  async read(id: string): Promise<WholeRecord<Snapshot> | null> {
    return await this.call(() => {
      const record = this.records.get(id);
      if (!this.isRunning || record === undefined || !this.isSeen(record)) return null;
      if (record.broken === 'read') throw new WorldFailure(`HTTP 500 for ${id}`, 'record');
      return { ...version(record), record: { ...record } };
    });
  }

  async answersWell(): Promise<boolean> {
    return await this.call(() => {
      const first = this.listed().slice(0, 5);
      return first.length === 0 || first.some(({ broken }) => broken !== 'read');
    });
  }

  async assertRunning(): Promise<void> {
    await this.call(() => {
      if (!this.isRunning) throw new WorldFailure('The application is under maintenance', 'service');
    });
  }

  troubleOf(failure: unknown): Trouble {
    return failure instanceof WorldFailure ? failure.trouble : 'service';
  }

  private create(matches: boolean, isSecret: boolean): void {
    // Ids leave gaps. If ids do not grow, later records fill some of the gaps.
    const highest = Math.max(0, ...this.used);
    let id = highest + 1 + (highest % 3);
    if (!this.kind.growing && this.used.size % 2 === 1) for (id = 1; this.used.has(id); id++);
    this.used.add(id);
    const updated = this.minute;
    const record: WorldRecord = {
      id: String(id),
      revision: 1,
      watched: 0,
      matches,
      updated,
      broken: 'nothing',
      isSecret,
    };
    this.records.set(record.id, record);
    this.everything.set(record.id, record);
  }

  private toListed(record: WorldRecord, whole: boolean): RecordVersion<Snapshot> {
    return {
      ...version(record),
      record: whole && this.kind.listsWhole ? { ...record } : undefined,
      updated: minuteText(record.updated),
    };
  }

  private async page<T>(
    { offset, limit, withinMs }: Pick<PageRequest, 'offset' | 'limit' | 'withinMs'>,
    records: () => WorldRecord[],
    show: (record: WorldRecord) => T,
  ): Promise<T[]> {
    return await this.call(() => {
      const page = records().slice(offset, offset + limit);
      const cost = page.length * this.kind.msPerRecord;
      if (cost + CALL_MS > withinMs) {
        this.spent += withinMs;
        throw new WorldFailure('The service did not answer in time', 'late');
      }
      this.spent += cost;
      if (page.some(({ broken }) => broken === 'list')) throw new WorldFailure('The list fails', 'record');
      return page.map(show);
    });
  }

  private async call<T>(answer: () => T): Promise<T> {
    this.calls++;
    this.spent += CALL_MS;
    const happening = this.during.shift();
    if (happening !== undefined) this.happen(happening);
    if (this.failAt !== null && (this.failAt === 0 || (this.failsOn && this.failAt < 0))) {
      this.failAt--;
      throw new WorldFailure('The service is down', 'service');
    }
    if (this.failAt !== null) this.failAt--;
    return await Promise.resolve().then(answer);
  }
}

function version({ id, revision, watched }: WorldRecord): RecordVersion {
  return { id, revision, updated: '', hashes: [watched + 1] };
}

function minuteText(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(0, 16);
}
