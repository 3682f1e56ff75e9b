import type { Application } from '../../service/application/definition';
import { type ApplicationSession, ServiceSession } from '../../service/application/session';
import type { ServiceClient } from '../../service/http/client';
import { isRefusal } from '../../service/http/errors';
import { Deadline, type PollTime } from '../source/deadline';
import { notRunning } from '../source/serviceSource';

/** Part definitions are read again after this time, or earlier if the service refuses a request that uses them. */
const DEFINITION_LASTS_MS = 300_000;

/** An application as it was read, and what was learned about the service on the way (its `abilities`). */
export interface KnownApplication {
  /** Base URL, credential and application reference that it was read with. */
  readonly from: string;
  readonly app: ApplicationSession;
  /** Whether its part definitions or a record have shown how it keys its parts. */
  readonly showsKeys: boolean;
  /** When it was read, by the poll clock's `elapsed`. */
  readonly readAt: number;
}

/** Reads the watched application and its key mode; a second time if the service was late. */
export async function readKnownApplication(
  client: ServiceClient,
  from: string,
  reference: string,
  time: PollTime,
): Promise<KnownApplication> {
  const deadline = new Deadline(time, client);
  return await deadline.twice(
    async (milliseconds) =>
      await deadline.within(milliseconds, async (signal) => {
        const app = await new ServiceSession(client.until(signal)).application(reference);
        const keyMode = await app.keyMode().catch((error: unknown) => {
          throw explained(error, app.application);
        });
        const { lacksKeys } = app;
        // If it is unknown, there is no record, so either mode reads nothing.
        app.learnKeyMode(keyMode ?? 'name');
        app.lacksKeys = lacksKeys;
        return { from, app, showsKeys: keyMode !== null, readAt: time.clock.elapsed() };
      }),
  );
}

/** Whether this poll can use what an earlier one read. Without a key mode it is read again. */
export function isStillGood(known: KnownApplication, from: string, now: number): boolean {
  return now - known.readAt < DEFINITION_LASTS_MS && known.showsKeys && known.from === from;
}

/** During maintenance the service only refuses. That ends without any action. */
export function explained(error: unknown, application: Application): Error {
  if (isRefusal(error) && application.status === 'maintenance') return notRunning(application, error.message);
  return error instanceof Error ? error : new Error(String(error));
}
