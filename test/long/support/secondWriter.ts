import type { HeldCall } from '../../support/holds';
import type { Random } from '../../soak/util/random';
import type { Workplace } from '../../engine/support/workplace';
import { turns, type Turns } from './turns';

/** A record as it was at some moment of a run. */
export interface RecordState {
  readonly name: string;
  readonly price: string | undefined;
  readonly note: string | undefined;
  readonly revision: number;
}

/** What somebody did between two moments at which all records were read. */
export interface Step {
  readonly by: 'node' | 'rival';
  readonly before: ReadonlyMap<string, RecordState>;
  readonly after: ReadonlyMap<string, RecordState>;
}

/**
 * A rival who writes while calls of a run are held, and reads all records before and after each call. Every difference
 * that the rival did not make was made by the node.
 */
export class SecondWriter {
  readonly steps: Step[] = [];

  /**
   * Revisions that the node has seen before it last read the record, and the one it then saw. Where the list has no
   * revisions, Sync reads a record once to learn its revision, and once more before it is removed.
   */
  readonly seen = new Map<string, Set<number>>();
  readonly looked = new Map<string, number>();

  private records: ReadonlyMap<string, RecordState> = new Map();

  /** The moment at which the records were last read. */
  private previous: HeldCall['when'] | null = null;

  private readonly turn: Turns = turns();

  private constructor(
    private readonly place: Workplace,
    private readonly random: Random,
    /** The share of the moments at which it writes. */
    private readonly writeShare: number,
  ) {}

  static async beside(place: Workplace, random: Random, writeShare: number): Promise<SecondWriter> {
    const writer = new SecondWriter(place, random, writeShare);
    writer.records = await writer.look();
    return writer;
  }

  /** While a call is held: reads the records, and perhaps writes. */
  async meet(call: HeldCall): Promise<void> {
    await this.turn(async () => {
      // Once a call has ended, only this writer changes anything until the next one begins.
      if (call.when === 'after' || this.previous !== 'after') await this.keep('node');
      this.previous = call.when;
      if (call.when === 'after') this.noteRead(call);
      // Nothing protects a record between the last read and its removal, as documented.
      const isOpen = call.action === 'delete_data' || call.action === 'get_data';
      if (isOpen || !this.random.chance(this.writeShare)) return;
      await this.write();
      await this.keep('rival');
    });
  }

  /** Reads the records a last time, when the service has processed the calls of a cancelled run. */
  async end(): Promise<void> {
    while ((await this.place.sandbox.statistics()).inFlight > 0) await new Promise(setImmediate);
    await this.turn(async () => await this.keep('node'));
  }

  private noteRead({ action, record }: HeldCall): void {
    const current = this.records.get(record);
    if (action === 'get_data' && current !== undefined) {
      const earlier = this.looked.get(record);
      if (earlier !== undefined) this.noteSeen(record, earlier);
      this.looked.set(record, current.revision);
    }
    if (action === 'list_data') for (const [id, { revision }] of this.records) this.noteSeen(id, revision);
  }

  private noteSeen(id: string, revision: number): void {
    this.seen.set(id, (this.seen.get(id) ?? new Set()).add(revision));
  }

  private async keep(by: Step['by']): Promise<void> {
    const after = await this.look();
    const before = this.records;
    this.records = after;
    if (JSON.stringify([...before]) !== JSON.stringify([...after])) this.steps.push({ by, before, after });
  }

  private async look(): Promise<ReadonlyMap<string, RecordState>> {
    return new Map(
      (await this.place.stored()).map(({ id, revision, values: { Name, Price, Note } }) => [
        id,
        { name: Name as string, price: Price as string, note: Note as string, revision },
      ]),
    );
  }

  private async write(): Promise<void> {
    const { sandbox, app } = this.place;
    const ids = [...this.records.keys()];
    const names = ['Bolt', 'Nut', 'Cap', 'Old', 'Older', 'New'];
    const kinds = ['note', 'note', 'price', 'name', 'remove', 'add'] as const;
    const kind = ids.length === 0 ? 'add' : this.random.pick(kinds);
    const text = String(this.random.integer(0, 9));
    if (kind === 'add') {
      await sandbox.addRecords(app.id, [{ Name: this.random.pick(names), Price: text }]);
      return;
    }
    const id = this.random.pick(ids);
    if (kind === 'remove') await sandbox.removeRecord(app.id, id);
    else if (kind === 'name') await sandbox.changeRecord(app.id, id, { Name: this.random.pick(names) });
    else await sandbox.changeRecord(app.id, id, { [kind === 'note' ? 'Note' : 'Price']: text });
  }
}
