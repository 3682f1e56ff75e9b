import { fetchApplication, type Application } from '../../service/application/definition';
import type { ApplicationSession } from '../../service/application/session';
import { ServiceError } from '../../service/http/errors';

/**
 * Checks whether the application is running. If not, it may refuse everything, list nothing and count 0.
 * @throws ServiceError `busy` if it is not.
 */
export async function assertApplicationRuns({ client, reference }: ApplicationSession): Promise<void> {
  const application = await fetchApplication(client, reference);
  // A service that does not report the status has answered properly so far.
  if (application.status !== 'running' && application.status !== '') throw notRunning(application);
}

/** An application that is not running. It will run again later, or its administrator must start it. */
export function notRunning({ name, status }: Application, reason = ''): ServiceError {
  const state = status === 'maintenance' ? 'under maintenance' : `not running (${status})`;
  return new ServiceError(
    'busy',
    `The application "${name}" is ${state}`,
    `The trigger continues when the application is running again. Nothing is lost. ${reason}`.trim(),
  );
}
