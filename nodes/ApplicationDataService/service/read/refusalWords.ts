import type { Part } from '../../parts/model/part';
import { NotRunningError } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import type { ServiceError } from '../http/errors';
import { findMissing } from './notThere';

/**
 * Refusals in words for a person, where it is about records that are not there, or the application is not running. No
 * number of the service tells that, so it is looked up, once for all of them; what is not known stays as it is.
 * @param refusals each about one record.
 */
export async function explainRefusals(
  app: ApplicationSession,
  refusals: readonly ServiceError[],
): Promise<ServiceError[]> {
  const idOf = ({ details }: ServiceError): string => details.recordId ?? '';
  const { name } = app.application;
  const missing = await findMissing(app, [...new Set(refusals.map(idOf))]).catch((error: unknown) => error);
  return refusals.map((refusal) => {
    if (missing instanceof NotRunningError)
      return refusal.reworded(missing.message, missing.description, refusal.message);
    const id = idOf(refusal);
    if (!(missing instanceof Set) || !missing.has(id)) return refusal;
    return refusal.reworded(`There is no record ${id} in ${name}`, advice(id), refusal.message);
  });
}

/** As far as is known, IDs are numbers; the interface does not say so. */
function advice(recordId: string): string {
  return /^\d+$/.test(recordId)
    ? 'Check the ID. The record may have been deleted, or you have no right to see it.'
    : 'Check the ID: it is usually a number, which Get Many returns as "id". To find a record by something else, select it from the list, or use Get Many with a filter.';
}

/** A refusal that names a part by its name: the service does so by its key, an identifier that nobody sees. */
export function namingPart(refusal: ServiceError, parts: readonly Part[]): ServiceError {
  const key = refusal.details.partKey;
  const part = parts
    .flatMap((each) => [each, ...each.children])
    .find(({ name, identifier }) => name === key || identifier === key);
  if (part === undefined || part.name === key) return refusal;
  const named = (text: string): string => text.replaceAll(`"${key}"`, `"${part.name}"`);
  return refusal.reworded(named(refusal.message), named(refusal.description));
}
