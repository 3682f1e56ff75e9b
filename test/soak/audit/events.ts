import type { Delivery, Event } from '../ledger/ledger';
import type { WatcherKind } from '../watchers/watcherKinds';
import { sameLanes } from '../world/application';
import type { Entry } from '../world/journal';
import type { History } from './history';
import { Tally, type Section } from './tally';

/** What a crash of n8n may cost, according to docs/trigger.md. */
const LOST = 'lost in a crash';

/** What the trigger last reported, or learned, about a record. */
interface Known {
  /** The record's state then; `null` once its deletion was reported. */
  readonly state: Entry | null;
  readonly lost: boolean;
}

/**
 * Checks one trigger: it reported every change, none twice, and none that was not made. What a crash may cost is
 * counted separately.
 */
export function auditEvents(kind: WatcherKind, deliveries: readonly Delivery[], history: History): Section {
  return new EventAudit(kind, history).audit(deliveries.filter(({ watcher }) => watcher === kind.name));
}

class EventAudit {
  private readonly tally = new Tally(
    ...['created', 'updated', 'deleted', 'never reported', 'reported twice', 'reported wrongly', LOST],
  );
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly kind: WatcherKind,
    private readonly history: History,
  ) {
    if (kind.existing === true) return;
    for (const [record, states] of history.records) {
      const state = states.filter(({ number }) => number <= history.beginning).at(-1);
      if (state !== undefined && this.matches(state)) this.known.set(record, { state, lost: false });
    }
  }

  audit(deliveries: readonly Delivery[]): Section {
    for (const delivery of deliveries) {
      const { most = Infinity } = this.kind;
      if (delivery.events.length > most) this.tally.violate('more than asked for', delivery);
      for (const event of delivery.events) this.judge(event, delivery.lost);
    }
    for (const [record, states] of this.history.records) this.judgeEnd(record, states);
    return this.tally;
  }

  private judge(event: Event, lost: boolean): void {
    this.tally.count(event.event);
    const last = this.known.get(event.id);
    const details = { event, last };
    if (event.event === 'deleted') {
      if (last?.state === null) this.tally.violate('reported twice', details);
      else if (!this.isDeletion(event, last?.state)) this.tally.violate('reported wrongly', details);
      this.known.set(event.id, { state: null, lost });
      return;
    }
    const state = this.history.state(event.id, event.revision ?? -1);
    if (state === undefined || !sameLanes(state.texts, event.lanes))
      return this.tally.violate('reported wrongly', { ...details, state });
    if (this.isRepeated(event, last)) this.tally.violate('reported twice', details);
    else if (!this.follows(event, state, last)) this.tally.violate('reported wrongly', details);
    this.known.set(event.id, { state, lost });
  }

  private isDeletion({ id, previousRevision }: Event, state: Entry | undefined): boolean {
    if (state === undefined || previousRevision === null || this.history.now(id) !== undefined) return false;
    // A trigger that watches parts also counts revisions that it did not report.
    if (this.kind.watched === undefined) return state.revision === previousRevision;
    return previousRevision >= state.revision && this.history.state(id, previousRevision) !== undefined;
  }

  private isRepeated({ event, revision }: Event, last: Known | undefined): boolean {
    if (last === undefined) return false;
    return event === 'created' || last.state === null || last.state.revision >= (revision ?? 0);
  }

  private follows({ event, previousRevision }: Event, state: Entry, last: Known | undefined): boolean {
    if (event === 'created') return last === undefined && previousRevision === null;
    if (!last?.state) return false;
    const { watched } = this.kind;
    if (watched === undefined) return last.state.revision === previousRevision;
    return last.state.texts[watched] !== state.texts[watched];
  }

  /** After the trigger has settled, the record must be as the trigger last reported it. */
  private judgeEnd(record: string, states: readonly Entry[]): void {
    const last = this.known.get(record);
    if (last?.lost === true) this.tally.count(LOST);
    const now = this.history.now(record);
    const isReported = now === undefined ? this.isDeletionReported(states, last) : this.isReported(now, last);
    if (!isReported) this.tally.violate('never reported', { record, last, now: states.at(-1) });
  }

  private isReported(now: Entry, last: Known | undefined): boolean {
    if (!this.matches(now)) return true;
    const state = last?.state;
    if (!state) return false;
    const { watched } = this.kind;
    return watched === undefined
      ? state.revision === now.revision
      : state.texts[watched] === now.texts[watched];
  }

  /**
   * Whether a deletion need not be reported: the trigger never knew a record that existed only between two polls, and
   * no longer looks for one that had left the filter.
   */
  private isDeletionReported(states: readonly Entry[], last: Known | undefined): boolean {
    if (!last?.state) return true;
    const { revision } = last.state;
    return states.some((state) => state.revision >= revision && !this.matches(state));
  }

  private matches({ texts }: Entry): boolean {
    return this.kind.state === undefined || this.kind.state === texts.State;
  }
}
