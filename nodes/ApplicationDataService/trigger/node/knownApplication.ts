import type { KeyMode } from '../../parts/model/part';
import type { Application } from '../../service/application/definition';
import type { ServiceClient } from '../../service/http/client';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { ApplicationSession, ServiceSession } from '../../service/application/session';
import type { Capabilities } from '../source/capabilities';
import { within } from '../source/within';

/** Part definitions are read again after so long; before, when the service refuses what is asked by them. */
const DEFINITION_LASTS_MS = 300_000;

/** An application as it was read, and what was learned of the service by the way. */
export interface KnownApplication {
  /** Base URL and application reference that it was read from. */
  readonly from: string;
  readonly reference: string;
  readonly application: Application;
  /** `null` where no record has shown it yet. */
  readonly keyMode: KeyMode | null;
  readonly capabilities: Capabilities;
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** Reads the application that is watched, and which key names its parts. */
export async function readKnownApplication(
  client: ServiceClient,
  base: string,
  reference: string,
  signal: AbortSignal,
): Promise<KnownApplication> {
  const app = await within(signal, async () => await new ServiceSession(client).application(reference));
  const keyMode = await within(signal, async () => await app.keyMode()).catch((error: unknown) => {
    throw explained(error, app.application);
  });
  const from = sourceName(base, reference);
  return { from, reference, application: app.application, keyMode, capabilities: {}, readAt: Date.now() };
}

/** Whether what an earlier poll read is good enough for this one. Without a key mode it is read again. */
export function isStillGood(known: KnownApplication, base: string, reference: string): boolean {
  const isFresh = Date.now() - known.readAt < DEFINITION_LASTS_MS;
  return isFresh && known.keyMode !== null && known.from === sourceName(base, reference);
}

function sourceName(base: string, reference: string): string {
  return `${base} ${reference}`;
}

/** How parts are keyed. Where that is not known there is no record, so either mode reads nothing. */
export function keyModeOf({ keyMode }: KnownApplication): KeyMode {
  return keyMode ?? 'name';
}

/** The application for the calls of one poll. */
export function sessionOf(client: ServiceClient, known: KnownApplication): ApplicationSession {
  const app = new ApplicationSession(client, known.reference, known.application, known.capabilities);
  app.learnKeyMode(keyModeOf(known));
  return app;
}

/** Under maintenance the service merely refuses; that ends by itself. */
export function explained(error: unknown, { name, status }: Application): Error {
  if (isRefusal(error) && status === 'maintenance') {
    return new ServiceError(
      'busy',
      `The application "${name}" is under maintenance`,
      `The trigger goes on when the maintenance is over. ${error.message}`,
      error.details,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
