import type { INodeExecutionData } from 'n8n-workflow';

import { TriggerEngine } from '../../support/triggerEngine';
import type { Event, Ledger } from '../ledger/ledger';
import { count } from '../util/counts';
import type { Random } from '../util/random';
import { lanesOf } from '../world/application';
import type { Shift } from '../world/shift';
import type { SoakService } from '../world/soakService';
import { recordFiles, recordLeak, textIn } from '../writers/desk';
import { parametersOf, type WatcherKind } from './watcherKinds';

/** n8n tries a failing first poll this often before it gives the trigger up. */
const ACTIVATION_TRIES = 6;
/** After this many polls without an event, a trigger has settled; one more than a delayed deletion needs. */
const QUIET_POLLS = 3;

/** A trigger workflow that polls, restarts and crashes until its shift ends. */
export class Watcher {
  /** What happened to it. */
  readonly counts: Record<string, number> = {};
  private engine: TriggerEngine;
  /** Polls of processes that were ended. Nobody receives their events, but they end before the soak does. */
  private readonly abandoned: Promise<unknown>[] = [];

  constructor(
    readonly kind: WatcherKind,
    private readonly service: SoakService,
    private readonly random: Random,
    private readonly ledger: Ledger,
  ) {
    this.engine = new TriggerEngine(service.credential, parametersOf(kind, service.app.id));
  }

  /** Activates the workflow, as a person does. */
  async activate(): Promise<void> {
    this.deliver(await this.engine.activateItems('activate'));
  }

  async watch(shift: Shift): Promise<void> {
    while (!shift.isOver()) {
      const draw = this.random.next();
      if (draw < 0.05) await this.restart();
      else if (draw < 0.08) await this.crashInPoll();
      else if (draw < 0.11) await this.crashAfterSave();
      else this.deliver(await this.poll());
      await shift.rest(this.random.integer(100, 1500));
    }
  }

  /**
   * Polls until no more events come. Quick polls are switched off first, as a person may do, so each poll is a full
   * scan.
   * @throws Error if more events come than there were changes: then the trigger repeats itself.
   */
  async settle(): Promise<void> {
    await Promise.allSettled(this.abandoned);
    if (this.kind.quick === true) {
      const options = { ...this.kind.options };
      delete options.updatedPart;
      this.engine.parameters = { ...this.engine.parameters, options };
    }
    await this.restart();
    const most = this.service.journal().length + QUIET_POLLS;
    for (let quiet = 0, polls = 0; quiet < QUIET_POLLS; polls++) {
      if (polls > most) throw new Error(`The trigger "${this.kind.name}" does not come to rest`);
      const items = await this.engine.pollItems();
      count(this.counts, 'polls');
      this.deliver(items);
      quiet = items.length === 0 ? quiet + 1 : 0;
    }
  }

  private async restart(): Promise<void> {
    count(this.counts, 'restarts');
    for (let tries = 1; ; tries++) {
      try {
        return this.deliver(await this.engine.activateItems('init'));
      } catch (error) {
        recordLeak(error, this.service, this.ledger);
        count(this.counts, 'failed activations');
        if (tries === ACTIVATION_TRIES)
          throw new Error(`n8n would give up the trigger "${this.kind.name}"`, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  /** Ends the process during a poll. */
  private async crashInPoll(): Promise<void> {
    const poll = this.poll();
    const patience = this.random.integer(1, 400);
    const first = await Promise.race([
      poll,
      new Promise<null>((resolve) => setTimeout(() => resolve(null), patience)),
    ]);
    if (first === null) {
      count(this.counts, 'crashes in a poll');
      // Only that it ended is waited for: its items, with their files, would be kept until the soak ends.
      this.abandoned.push(poll.then(() => undefined));
      this.engine = this.engine.successor();
    } else this.deliver(first);
    await this.restart();
  }

  /** Ends the process after n8n saved the trigger's state, before it started the workflow. */
  private async crashAfterSave(): Promise<void> {
    const items = await this.poll();
    if (items.length > 0) count(this.counts, 'crashes after a save');
    this.deliver(items, true);
    await this.restart();
  }

  /** Polls once. Returns no items if the poll fails. */
  private async poll(): Promise<INodeExecutionData[]> {
    count(this.counts, 'polls');
    try {
      return await this.engine.pollItems();
    } catch (error) {
      count(this.counts, 'failed');
      recordLeak(error, this.service, this.ledger);
      return [];
    }
  }

  private deliver(items: readonly INodeExecutionData[], lost = false): void {
    recordLeak(this.engine.warnings.splice(0), this.service, this.ledger);
    // Kept for tests; in a soak, it would look like a leak in the nodes.
    this.engine.calls.length = 0;
    if (items.length === 0) return;
    const events = items.map(({ json }) => toEvent(json));
    this.ledger.add('deliveries', { watcher: this.kind.name, events, lost });
    recordFiles(items, this.ledger);
  }
}

function toEvent(json: INodeExecutionData['json']): Event {
  return {
    event: json.event as Event['event'],
    id: textIn(json, 'id'),
    revision: typeof json.revision === 'number' ? json.revision : null,
    previousRevision: typeof json.previousRevision === 'number' ? json.previousRevision : null,
    lanes: lanesOf(json),
  };
}
