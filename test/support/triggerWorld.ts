import type {
  Head,
  ListedRecord,
  RecordSource,
  WholeRecord,
} from '../../nodes/ApplicationDataService/trigger/poll/recordSource';

/** What can happen to the records of a {@link World}. Numbers choose among the records there are. */
export type Happening =
  | { readonly kind: 'create'; readonly matches: boolean }
  /** `watched`: a watched part changes; `quiet`: the date/time of the last change does not move. */
  | { readonly kind: 'change'; readonly which: number; readonly watched: boolean; readonly quiet: boolean }
  | { readonly kind: 'delete'; readonly which: number }
  | { readonly kind: 'move'; readonly which: number }
  | { readonly kind: 'minute' };

/** A record of the world. `watched` is the value of its watched part. */
export interface WorldRecord {
  readonly id: string;
  revision: number;
  watched: number;
  /** Whether it meets the filter. */
  matches: boolean;
  updated: number;
}

/** How the world's lists behave. */
export interface WorldKind {
  readonly narrowed: boolean;
  /** Lists come in order of ids; otherwise in an order of their own. */
  readonly ascending: boolean;
  /** Ids grow; otherwise new ones may fall between. */
  readonly growing: boolean;
  readonly listsWhole: boolean;
  readonly takesIds: boolean;
  readonly hasNewest: boolean;
}

/** How the records were when one was read. */
export type Snapshot = Readonly<WorldRecord>;

/** A service in memory whose records change between any two calls, and whose calls fail when told to. */
export class World implements RecordSource<Snapshot> {
  readonly records = new Map<string, WorldRecord>();
  /** Every record there ever was, as it was last. */
  readonly everything = new Map<string, WorldRecord>();
  minute = 0;
  calls = 0;
  private readonly used = new Set<number>();

  /** Ids in the list when the highest ones were last asked for: that is when a trigger begins. */
  whenAskedForLast: readonly string[] = [];

  /** Happens during calls, one before each. */
  during: Happening[] = [];
  /** Number of the call, from now on, that fails; all after it, too, with `failsOn`. */
  failAt: number | null = null;
  failsOn = false;

  constructor(readonly kind: WorldKind) {}

  happen(happening: Happening): void {
    if (happening.kind === 'create') this.create(happening.matches);
    if (happening.kind === 'minute') this.minute++;
    if (!('which' in happening) || this.records.size === 0) return;
    const record = [...this.records.values()][happening.which % this.records.size]!;
    if (happening.kind === 'delete') this.records.delete(record.id);
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

  /** Records that lists hold, in their order. */
  listed(): WorldRecord[] {
    const listed = [...this.records.values()].filter(({ matches }) => matches || !this.kind.narrowed);
    const rank = ({ id }: WorldRecord): number =>
      this.kind.ascending ? Number(id) : (Number(id) * 7919) % 1009;
    return listed.sort((one, other) => rank(one) - rank(other));
  }

  async heads(offset: number, limit: number): Promise<Head[]> {
    return await this.call(() =>
      this.listed()
        .slice(offset, offset + limit)
        .map(head),
    );
  }

  async lastIds(limit: number): Promise<string[]> {
    return await this.call(() => {
      this.whenAskedForLast = this.listed().map(({ id }) => id);
      return this.whenAskedForLast.slice(-limit).reverse();
    });
  }

  async page(offset: number, limit: number): Promise<ListedRecord<Snapshot>[]> {
    return await this.call(() =>
      this.listed()
        .slice(offset, offset + limit)
        .map((each) => this.toListed(each)),
    );
  }

  async newest(offset: number, limit: number): Promise<ListedRecord<Snapshot>[]> {
    return await this.call(() => {
      if (!this.kind.hasNewest) return [];
      const sorted = this.listed().sort((one, other) => other.updated - one.updated);
      return sorted.slice(offset, offset + limit).map((each) => this.toListed(each));
    });
  }

  async byIds(ids: readonly string[]): Promise<ListedRecord<Snapshot>[]> {
    return await this.call(() =>
      this.kind.takesIds
        ? this.listed()
            .filter(({ id }) => ids.includes(id))
            .map((each) => this.toListed(each))
        : [],
    );
  }

  async read(id: string): Promise<WholeRecord<Snapshot> | null> {
    return await this.call(() => {
      const record = this.records.get(id);
      return record === undefined ? null : { ...head(record), record: { ...record } };
    });
  }

  async answersWell(): Promise<boolean> {
    return await this.call(() => true);
  }

  private create(matches: boolean): void {
    // Ids leave gaps; where they do not grow, some are filled later.
    const highest = Math.max(0, ...this.used);
    let id = highest + 1 + (highest % 3);
    if (!this.kind.growing && this.used.size % 2 === 1) for (id = 1; this.used.has(id); id++);
    this.used.add(id);
    const record = { id: String(id), revision: 1, watched: 0, matches, updated: this.minute };
    this.records.set(record.id, record);
    this.everything.set(record.id, record);
  }

  private toListed(record: WorldRecord): ListedRecord<Snapshot> {
    return {
      ...head(record),
      record: this.kind.listsWhole ? { ...record } : undefined,
      updated: minuteText(record.updated),
    };
  }

  private async call<T>(answer: () => T): Promise<T> {
    this.calls++;
    const happening = this.during.shift();
    if (happening !== undefined) this.happen(happening);
    if (this.failAt !== null && (this.failAt === 0 || (this.failsOn && this.failAt < 0))) {
      this.failAt--;
      throw new Error('The service is down');
    }
    if (this.failAt !== null) this.failAt--;
    return await Promise.resolve(answer());
  }
}

function head({ id, revision, watched }: WorldRecord): Head {
  return { id, revision, hash: watched + 1 };
}

function minuteText(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(0, 16);
}
