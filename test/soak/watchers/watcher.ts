import { inspect } from 'node:util';

import type { INodeExecutionData } from 'n8n-workflow';

import { TriggerEngine } from '../../support/triggerEngine';
import { textIn } from '../util/json';
import type { Ledger } from '../ledger/ledger';
import type { Event } from '../ledger/line';
import type { Random } from '../util/random';
import type { Shift } from '../util/shift';
import type { SoakService } from '../world/soakService';
import { sha256 } from '../writers/files';
import { lanesOf } from '../writers/desk';
import { mostPolls } from './pending';
import { parametersOf, type WatcherKind } from './watcherKinds';

/** n8n tries a failing first poll this often before it gives the trigger up. */
const ACTIVATION_TRIES = 6;
/** After this many polls without an event, a trigger has settled; one more than a delayed deletion needs. */
const QUIET_POLLS = 3;

/** What happened to a watcher. */
export interface WatcherCounts {
  polls: number;
  failed: number;
  restarts: number;
  'crashes in a poll': number;
  'crashes after a save': number;
  'failed activations': number;
}

/** A trigger workflow that polls, restarts and crashes until its shift ends. */
export class Watcher {
  readonly counts: WatcherCounts = {
    polls: 0,
    failed: 0,
    restarts: 0,
    'crashes in a poll': 0,
    'crashes after a save': 0,
    'failed activations': 0,
  };
  private engine: TriggerEngine;
  private readonly accessKey: string;
  /** Polls of processes that were ended. Nobody receives their events, but they end before the soak does. */
  private readonly abandoned: Promise<unknown>[] = [];

  constructor(
    readonly kind: WatcherKind,
    private readonly service: SoakService,
    private readonly random: Random,
    private readonly ledger: Ledger,
  ) {
    this.accessKey = service.credential.accessKey;
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
   * @throws Error if events keep coming that are not pending.
   */
  async settle(): Promise<void> {
    await Promise.allSettled(this.abandoned);
    if (this.kind.quick === true) {
      const options = { ...this.kind.options };
      delete options.updatedPart;
      this.engine.parameters = { ...this.engine.parameters, options };
    }
    await this.restart();
    const most = mostPolls(this.kind, this.ledger.read().deliveries, this.service.journal());
    for (let quiet = 0, polls = 0; quiet < QUIET_POLLS; polls++) {
      if (polls > most)
        throw new Error(`The trigger "${this.kind.name}" does not come to rest within ${most} polls`);
      const items = await this.engine.pollItems();
      this.counts.polls++;
      this.deliver(items);
      quiet = items.length === 0 ? quiet + 1 : 0;
    }
  }

  private async restart(): Promise<void> {
    this.counts.restarts++;
    for (let tries = 1; ; tries++) {
      try {
        return this.deliver(await this.engine.activateItems('init'));
      } catch (error) {
        this.failed(error);
        this.counts['failed activations']++;
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
      this.counts['crashes in a poll']++;
      // Only that it ended is waited for: its items, with their files, would be kept until the soak ends.
      this.abandoned.push(poll.then(() => undefined));
      this.engine = this.engine.successor();
    } else this.deliver(first);
    await this.restart();
  }

  /** Ends the process after n8n saved the trigger's state, before it started the workflow. */
  private async crashAfterSave(): Promise<void> {
    const items = await this.poll();
    if (items.length > 0) this.counts['crashes after a save']++;
    this.deliver(items, true);
    await this.restart();
  }

  /** Polls once. Returns no items if the poll fails. */
  private async poll(): Promise<INodeExecutionData[]> {
    this.counts.polls++;
    try {
      return await this.engine.pollItems();
    } catch (error) {
      this.counts.failed++;
      this.failed(error);
      return [];
    }
  }

  private failed(error: unknown): void {
    this.lookForKey(inspect(error, { depth: 8 }));
  }

  private deliver(items: readonly INodeExecutionData[], lost = false): void {
    for (const warning of this.engine.warnings.splice(0)) this.lookForKey(warning);
    // Kept for tests; in a soak, it would look like a leak in the nodes.
    this.engine.calls.length = 0;
    const { name } = this.kind;
    if (items.length === 0) return;
    const events = items.map(({ json }) => toEvent(json));
    this.ledger.add('deliveries', { watcher: name, poll: this.counts.polls, events, lost });
    for (const { binary } of items)
      for (const { fileName, data } of Object.values(binary ?? {}))
        this.ledger.add('seenFiles', {
          by: name,
          name: fileName ?? '',
          sha256: sha256(Buffer.from(data, 'base64')),
        });
  }

  private lookForKey(text: string): void {
    if (text.includes(this.accessKey)) this.ledger.add('leaks', text);
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
