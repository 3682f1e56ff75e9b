import type { Part } from '../../parts/model/part';
import { settle, type Settled } from '../../util/concurrently';
import { fetchApplication, isRunning } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { isRefusal, type ServiceError } from '../http/errors';
import { assertAnswersWell } from './absence';
import { readRecord } from './records';

/**
 * A refusal in words for a person: a part by its name, and, if it is about a record that cannot be read while the
 * application answers well otherwise, that there is no such record. No number of the service tells that, so it is
 * looked up; anything that is not known stays as the service says it.
 */
export async function explainRefusal(app: ApplicationSession, failure: unknown): Promise<unknown> {
  if (!isRefusal(failure)) return failure;
  const { partKey, recordId } = failure.details;
  if (partKey !== undefined) return withName(failure, partKey, app.application.parts);
  return recordId === undefined ? failure : await aboutRecord(app, failure, recordId);
}

async function aboutRecord(
  app: ApplicationSession,
  failure: ServiceError,
  recordId: string,
): Promise<ServiceError> {
  const { name } = app.application;
  const look = await lookOnce(app);
  if ('error' in look) return failure;
  if (look.value !== '') {
    return failure.reworded(
      `The application "${name}" is not running (${look.value})`,
      'Run the workflow again when the application is running.',
      failure.message,
    );
  }
  const read = await settle(async () => await readRecord(app, recordId, false));
  if ('value' in read || !isRefusal(read.error)) return failure;
  return failure.reworded(`There is no record ${recordId} in ${name}`, advice(recordId), failure.message);
}

/** As far as is known, IDs are numbers; the interface does not say so. */
function advice(recordId: string): string {
  return /^\d+$/.test(recordId)
    ? 'Check the ID. The record may have been deleted, or you have no right to see it.'
    : 'Check the ID: it is usually a number, which Get Many returns as "id". To find a record by something else, select it from the list, or use Get Many with a filter.';
}

/** The status of an application that is not running; empty if it is, and gives its records. One look serves a run. */
async function lookOnce(app: ApplicationSession): Promise<Settled<string>> {
  const look = async (): Promise<string> => {
    const application = await fetchApplication(app.client, app.reference);
    if (!isRunning(application)) return application.status;
    await assertAnswersWell(app);
    return '';
  };
  return await app.memo.get('status', async () => await settle(look));
}

/** The service names a part by its key, which may be an identifier that nobody sees. */
function withName(failure: ServiceError, key: string, parts: readonly Part[]): ServiceError {
  const part = parts
    .flatMap((each) => [each, ...each.children])
    .find(({ name, identifier }) => name === key || identifier === key);
  if (part === undefined || part.name === key) return failure;
  const named = (text: string): string => text.replaceAll(`"${key}"`, `"${part.name}"`);
  return failure.reworded(named(failure.message), named(failure.description));
}
