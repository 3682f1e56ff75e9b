import type { ApplicationSession } from '../../service/application/session';
import { isRefusal, type ServiceError } from '../../service/http/errors';
import { explainRefusals, namingPart } from '../../service/read/refusalWords';
import { settle } from '../../util/concurrently';
import type { Item } from './item';
import type { Outcome } from './types';

/** Refusals of a run about records that are explained by a look at these. The others keep the service's words. */
const MAX_EXPLAINED = 10;

/** The outcomes with refusals in words for a person. */
export async function wordRefusals(items: readonly Item[], outcomes: readonly Outcome[]): Promise<Outcome[]> {
  // Several items may share one refusal.
  const refusals = new Map<ServiceError, Item>();
  for (const [index, outcome] of outcomes.entries()) {
    const error = failureIn(outcome);
    if (isRefusal(error) && !refusals.has(error)) refusals.set(error, items[index]!);
  }
  const told = new Map<unknown, unknown>();
  const aboutRecords = new Map<ApplicationSession, ServiceError[]>();
  let explained = 0;
  for (const [error, item] of refusals) {
    const { partKey, recordId } = error.details;
    if (partKey === undefined && (recordId === undefined || ++explained > MAX_EXPLAINED)) continue;
    const app = await settle(async () => await item.application());
    // An operation that needs no parts has not read the application before.
    if ('error' in app) told.set(error, isRefusal(app.error) ? app.error : error);
    else if (partKey !== undefined) told.set(error, namingPart(error, app.value.application.parts));
    else aboutRecords.set(app.value, [...(aboutRecords.get(app.value) ?? []), error]);
  }
  for (const [app, errors] of aboutRecords) {
    const words = await explainRefusals(app, errors);
    for (const [index, error] of errors.entries()) told.set(error, words[index]);
  }
  return outcomes.map((outcome) => {
    const error = failureIn(outcome);
    return told.has(error) ? { error: told.get(error) } : outcome;
  });
}

function failureIn(outcome: Outcome): unknown {
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
}
