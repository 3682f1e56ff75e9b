import { type Application } from '../../nodes/ApplicationDataService/service/application/definition';
import { ApplicationSession } from '../../nodes/ApplicationDataService/service/application/session';
import type { ServiceClient } from '../../nodes/ApplicationDataService/service/http/client';
import { Limiters } from '../../nodes/ApplicationDataService/service/http/limiter';
import { cancelled, ServiceError } from '../../nodes/ApplicationDataService/service/http/errors';
import { readPart } from '../../nodes/ApplicationDataService/parts/codecs';
import type { PollClock } from '../../nodes/ApplicationDataService/trigger/source/time';
import type { Watch } from '../../nodes/ApplicationDataService/trigger/source/watch';
import type { Happening, Snapshot, WorldKind, WorldRecord } from './triggerScript';

/** Milliseconds that every call takes. */
export const CALL_MS = 10;

type Fields = ReadonlyMap<string, string>;

const part = (id: string, name: string, type: string) => readPart({ id, name, type, system: 'on' });
const ID = part('1', 'ID', 'id');
const WATCHED = part('2', 'Watched', 'textbox');
const UPDATED = part('4', 'Updated', 'datetime');
const PARTS = [ID, WATCHED, UPDATED];

/**
 * A service in memory, as the client of an application calls it. Its records change between any two calls, and its
 * calls fail when a history says so.
 */
export class World {
  readonly records = new Map<string, WorldRecord>();
  /** The last state of every record that ever existed. */
  readonly everything = new Map<string, WorldRecord>();
  minute = 0;
  /** Milliseconds that calls have taken. */
  spent = 0;
  /** An application under maintenance lists nothing, counts nothing and refuses everything. */
  isRunning = true;
  seesSecrets = true;
  private readonly used = new Set<number>();
  private readonly alarms = new Set<{ readonly at: number; readonly controller: AbortController }>();

  /** How many polls there were, and in which of them each record was first changed since it was told last. */
  poll = 0;
  readonly untoldSince = new Map<string, number>();

  /** Ids in the list when the trigger last requested the highest one, which it does when it begins. */
  whenAskedForLast: readonly string[] = [];

  /** What happens during calls, one happening before each call. */
  during: Happening[] = [];
  /** How many calls later a call fails; with `failsOn`, all calls after it fail too. */
  failAt: number | null = null;
  failsOn = false;

  constructor(readonly kind: WorldKind) {}

  /** Time passes only with calls. */
  readonly clock: PollClock = {
    now: () => this.minute * 60_000,
    elapsed: () => this.spent,
    timeout: (milliseconds) => {
      const alarm = { at: this.spent + milliseconds, controller: new AbortController() };
      this.alarms.add(alarm);
      return alarm.controller.signal;
    },
    limiters: new Limiters({ now: () => this.spent, sleep: async () => await Promise.resolve() }),
  };

  /** What the nodes have learned about its lists since they were started. */
  abilities: ApplicationSession['abilities'] = { revisionByName: true };

  get app(): ApplicationSession {
    const application = { id: '7', name: 'World', status: 'running', parts: PARTS } as unknown as Application;
    const app = new ApplicationSession(this.client(), '7', application, this.abilities);
    app.learnKeyMode('name');
    return app;
  }

  /** Watches the part besides the revision. */
  watch(watches: boolean): Watch {
    const filter = '{"item":[{"field_id":"9","operator":"=","value":"matches"}]}';
    return {
      parts: PARTS,
      keyMode: 'name',
      narrowing: { filter: this.kind.narrowed ? filter : undefined, searched: [] },
      test: null,
      wanted: PARTS,
      watched: watches ? [WATCHED] : [],
      keepsValues: false,
      updatedPart: UPDATED,
    };
  }

  happen(happening: Happening): void {
    if (happening.kind === 'create') this.create(happening.matches, happening.secret === true);
    if (happening.kind === 'minute') this.minute++;
    if (happening.kind === 'maintenance') this.isRunning = happening.isOver;
    if (happening.kind === 'key') this.seesSecrets = happening.seesSecrets;
    if ('which' in happening && this.records.size > 0)
      this.touch(happening, [...this.records.values()][happening.which % this.records.size]!);
  }

  private touch(happening: Extract<Happening, { which: number }>, record: WorldRecord): void {
    const isTold = (): boolean => record.matches || !this.kind.narrowed;
    if (happening.kind === 'delete') {
      this.records.delete(record.id);
      this.note(record, isTold());
    }
    if (happening.kind === 'break') record.broken = happening.what;
    if (happening.kind === 'change') {
      record.revision++;
      if (happening.watched) record.watched++;
      if (!happening.quiet) record.updated = this.minute;
      if (happening.watched) this.note(record, isTold());
    }
    if (happening.kind === 'move') {
      record.revision++;
      record.updated = this.minute;
      record.matches = !record.matches;
      this.note(record, isTold());
    }
  }

  /** What is outside the filter is told no more. */
  private note({ id }: WorldRecord, isTold: boolean): void {
    if (!isTold) this.untoldSince.delete(id);
    else if (!this.untoldSince.has(id)) this.untoldSince.set(id, this.poll);
  }

  /** The records that a list contains, in the order of their IDs. */
  listed(): WorldRecord[] {
    if (!this.isRunning) return [];
    return this.seen((record) => record.matches || !this.kind.narrowed);
  }

  private seen(isMeant: (record: WorldRecord) => boolean): WorldRecord[] {
    const seen = [...this.records.values()].filter((each) => this.isSeen(each) && isMeant(each));
    return seen.sort((one, other) => Number(one.id) - Number(other.id));
  }

  isSeen({ isSecret }: Snapshot): boolean {
    return this.seesSecrets || !isSecret;
  }

  private create(matches: boolean, isSecret: boolean): void {
    // Ids leave gaps. If ids do not grow, later records fill some of the gaps.
    const highest = Math.max(0, ...this.used);
    let id = highest + 1 + (highest % 3);
    if (!this.kind.growing && this.used.size % 2 === 1) for (id = 1; this.used.has(id); id++);
    this.used.add(id);
    const made = { id: String(id), revision: 1, watched: 0, updated: this.minute };
    const record: WorldRecord = { ...made, matches, broken: 'nothing', isSecret };
    this.records.set(record.id, record);
    this.everything.set(record.id, record);
    this.note(record, matches || !this.kind.narrowed);
  }

  private client(signal?: AbortSignal): ServiceClient {
    const client: Partial<ServiceClient> = {
      shared: { keyWorks: true, underWay: 1 },
      until: (until) => this.client(signal === undefined ? until : AbortSignal.any([signal, until])),
      call: async (action, fields) =>
        await this.call(new Map(fields?.map(([name, value]) => [name, value])), action, signal),
    };
    return client as ServiceClient;
  }

  private async call(fields: Fields, action: string, signal?: AbortSignal): Promise<{ status: string }> {
    const happening = this.during.shift();
    if (happening !== undefined) this.happen(happening);
    const answer = this.answer(action, fields);
    // A page stands for one of 250 records at least. The last few, which are listed newest first, are quick beside it.
    const isPage = 'list' in answer && fields.get('sort_order') !== 'desc';
    const records = isPage ? (answer.list as { item: unknown[] }).item.length : 0;
    this.pass(CALL_MS + records * this.kind.msPerRecord, signal);
    if (this.failAt !== null && (this.failAt === 0 || (this.failsOn && this.failAt < 0))) {
      this.failAt--;
      throw new ServiceError('unreachable', 'The service is down', '');
    }
    if (this.failAt !== null) this.failAt--;
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    return { status: 'ok', ...answer };
  }

  /** @throws ServiceError if the call is aborted before. */
  private pass(milliseconds: number, signal: AbortSignal | undefined): void {
    const end = this.spent + milliseconds;
    for (const alarm of [...this.alarms].sort((one, other) => one.at - other.at)) {
      if (alarm.at > end) break;
      this.alarms.delete(alarm);
      this.spent = Math.max(this.spent, alarm.at);
      alarm.controller.abort();
      if (signal?.aborted === true) throw cancelled();
    }
    this.spent = end;
  }

  private answer(action: string, fields: Fields): object {
    const refusal = new ServiceError('refused', 'Refused', '');
    if (action === 'get_app') return { id: '7', app_status: this.isRunning ? 'running' : 'maintenance' };
    if (action === 'count_data') return { allcnt: String(this.listed().length) };
    if (action === 'list_data') return { list: { item: this.list(fields) } };
    const record = this.records.get(fields.get('data_id')!);
    if (!this.isRunning || record === undefined || !this.isSeen(record)) return refusal;
    // Where no other record can be read, nothing is known of it: that is another story.
    if (record.broken === 'read' && this.listed().some(({ broken }) => broken !== 'read'))
      return new ServiceError('badAnswer', `HTTP 500 for ${record.id}`, '');
    return { record: raw(record) };
  }

  private list(fields: Fields): object[] {
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(fields.get(name) ?? 0));
    const isDescending = fields.get('sort_order') === 'desc';
    const isNewest = fields.get('sort_field_id') === UPDATED.id;
    const records = this.asked(fields.get('filter'));
    if (isNewest) records.sort((one, other) => other.updated - one.updated);
    else if (isDescending) records.reverse();
    if (isDescending && !isNewest && limit === 1) this.whenAskedForLast = records.map(({ id }) => id);
    return records.slice(offset, offset! + limit!).map(raw);
  }

  private asked(filter = '{"item":[]}'): WorldRecord[] {
    const { item } = JSON.parse(filter) as { item: { field_id: string; value: string }[] };
    const ids = item.find(({ field_id }) => field_id === ID.id)?.value.split('\t');
    if (ids === undefined) return this.listed();
    if (!this.kind.takesIds || !this.isRunning) return [];
    const isFiltered = item.length > 1;
    return this.seen((each) => ids.includes(each.id) && (each.matches || !isFiltered));
  }
}

/** A record as the service gives it. The record as it was is in it, too. */
function raw(record: WorldRecord): Record<string, unknown> {
  return {
    ID: { val: record.id },
    revision: { val: String(record.revision) },
    Watched: { val: String(record.watched) },
    Updated: { val: new Date(record.updated * 60_000).toISOString().slice(0, 16) },
    snapshot: { ...record },
  };
}
