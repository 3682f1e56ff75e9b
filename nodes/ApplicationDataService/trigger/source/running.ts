import { fetchApplication, type Application } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { ServiceError } from '../../service/http/errors';

/**
 * Reads whether the application runs: one that does not may refuse everything, list nothing and count 0.
 * @throws ServiceError `busy` where it does not.
 */
export async function assertApplicationRuns({ client, reference }: ApplicationSession): Promise<void> {
  const application = await fetchApplication(client, reference);
  // A service that does not say has answered well so far.
  if (application.status !== 'running' && application.status !== '') throw notRunning(application);
}

/** An application that does not run, which ends by itself or by its administrator. */
export function notRunning({ name, status }: Application, reason = ''): ServiceError {
  const state = status === 'maintenance' ? 'under maintenance' : `not running (${status})`;
  return new ServiceError(
    'busy',
    `The application "${name}" is ${state}`,
    `The trigger continues when the application is running again. Nothing is lost. ${reason}`.trim(),
  );
}
