import { within } from '../common/within';
import { ServiceError } from '../service/http/errors';

/** @throws ServiceError `lost` when the time for reading a notified record is over. */
export async function inTime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return await within(
    signal,
    work,
    () =>
      new ServiceError(
        'lost',
        'The service did not give the record within two minutes',
        'Read the record with Get, or let the polling trigger find the change. If it stays, ask the administrator why the service is slow.',
      ),
  );
}
