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
        'The service did not return the record within two minutes',
        'Read the record with Get, or let the polling trigger find the change. If this happens again, ask the administrator why the service is slow.',
      ),
  );
}
