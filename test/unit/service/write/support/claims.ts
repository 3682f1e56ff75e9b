import { ApplicationSession } from '../../../../../nodes/ApplicationDataService/service/application/session';
import type { ServiceClient } from '../../../../../nodes/ApplicationDataService/service/http/client';
import { writeRecord } from '../../../../../nodes/ApplicationDataService/service/write/writeRecord';
import { settle } from '../../../../../nodes/ApplicationDataService/util/concurrently';
import { isIndeterminate } from '../../../../../nodes/ApplicationDataService/service/http/errors';
import { application, claimOf } from './histories';
import { World, type Happening } from './world';

/** What two clients were told that claim one job, each with a value of its own, and who has it. */
export interface Claimed {
  readonly told: readonly ('done' | 'notDone' | 'unknown')[];
  readonly holder: string;
  readonly calls: number;
}

/** Lets calls of two clients through in the order of a schedule, then as they come. */
class Turns {
  private readonly waiting: { readonly who: number; readonly go: () => void }[] = [];

  constructor(private readonly schedule: number[]) {}

  async of(who: number): Promise<void> {
    await new Promise<void>((go) => this.waiting.push({ who, go }));
  }

  /** Lets one call through, once both clients wait or have ended. */
  next(): boolean {
    const who = this.schedule.shift();
    const index = Math.max(
      0,
      this.waiting.findIndex((each) => each.who === who),
    );
    const [call] = this.waiting.splice(index, 1);
    call?.go();
    return call !== undefined;
  }
}

/** Two clients claim the job under the revision that both have read. */
export async function claim(schedule: readonly number[], history: readonly Happening[]): Promise<Claimed> {
  const world = new World(history, () => undefined);
  const turns = new Turns([...schedule]);
  const told: Claimed['told'][number][] = [];
  const clients = [0, 1].map(async (who) => {
    const { client } = world;
    const call = async (...asked: Parameters<ServiceClient['call']>) => {
      await turns.of(who);
      return await client.call(...asked);
    };
    const app = new ApplicationSession({ ...client, call } as unknown as ServiceClient, '301', application);
    app.learnKeyMode('name');
    const checkpoint = {
      ...{ items: [0], done: null, indeterminate: null, isOther: false },
      recordProgress: () => undefined,
    };
    const claimed = await settle(async () => await writeRecord(app, claimOf(`client ${who}`), checkpoint));
    const isOpen = 'error' in claimed && isIndeterminate(claimed.error);
    told[who] = isOpen ? 'unknown' : 'error' in claimed ? 'notDone' : 'done';
  });
  const done = Promise.all(clients).then(() => true);
  const idle = async (): Promise<boolean> =>
    await Promise.race([done, new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
  while (!(await idle())) turns.next();
  const { calls } = world;
  world.end();
  return { told, holder: world.record?.name ?? '', calls };
}
