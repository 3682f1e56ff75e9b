import type { EngineResult } from '../../support/engine';

const OUTCOMES = ['created', 'updated', 'deleted', 'unchanged', 'conflict', 'notFound'] as const;

/**
 * The outcome of one item, as the node reported it. `refused`: nothing was written; `partly`: the record was written, but
 * not all of its attachments; `unknown`: the write is in doubt; `notReported`: another item ended the run before.
 */
export type ReportedOutcome = (typeof OUTCOMES)[number] | 'refused' | 'partly' | 'unknown' | 'notReported';

/** What happened to an item: its output, or the message of its error; neither if the node reported nothing. */
interface ItemResult {
  readonly json?: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/**
 * The results that a run reported for each of its items.
 * @throws Error if an output item belongs to no item.
 */
export function resultsOf(result: EngineResult, count: number): ItemResult[] {
  const { error } = result;
  const results: ItemResult[] = Array.from({ length: count }, () => ({}));
  if (error !== undefined) return results.with(error.context?.itemIndex ?? 0, { message: error.message });
  for (const { json, pairedItem } of result.items) {
    const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1;
    if (results[index] === undefined) throw new Error(`An output item belongs to no item: ${index}`);
    results[index] = typeof json.error === 'string' ? { message: json.error } : { json };
  }
  return results;
}

/** The outcome in one word. */
export function outcomeOf({ json, message }: ItemResult): ReportedOutcome {
  if (message === undefined) return json === undefined ? 'notReported' : known(json.outcome);
  // With Retry On Fail, an item that was written can still end in the error of a later try.
  const [, earlier] = /^An earlier try wrote this item \((\w+)\)/.exec(message) ?? [];
  if (earlier !== undefined) return known(earlier);
  if (message.includes('outcome unknown')) return 'unknown';
  return /^The record \S+ was written, but/.test(message) ? 'partly' : 'refused';
}

function known(outcome: unknown): ReportedOutcome {
  const found = OUTCOMES.find((each) => each === outcome);
  if (found === undefined) throw new Error(`An item has no outcome: ${JSON.stringify(outcome)}`);
  return found;
}
