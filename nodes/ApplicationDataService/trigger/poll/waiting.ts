import type { Candidate } from './candidates';
import type { PollContext } from './context';
import type { PollMemory } from './pageSize';

/** How many records may wait. More are a sign that the service is in trouble. */
const MOST_WAITING = 100;

/** What happened to the candidates. */
export interface Tried {
  /** Ids of those that need not be tried again. */
  readonly settled: ReadonlySet<string>;
  /** Why a record could not be output in this poll. */
  readonly failed: ReadonlyMap<string, unknown>;
}

/** The waiting records, starting with those tried least often. */
export function waitingCandidates({
  state,
  memory,
}: Pick<PollContext<unknown, unknown>, 'state' | 'memory'>): Candidate[] {
  const { waiting, records } = state;
  return [...waiting]
    .map(([id, { tries, revision }]): Candidate => {
      return { id, head: null, revision, known: records.get(id), offset: null, before: null, tries };
    })
    .sort((one, other) => triesOf(one, memory) - triesOf(other, memory));
}

/** How many polls tried a record, including failed polls of which n8n saved nothing. */
export function triesOf({ id, tries }: Candidate, { tries: inProcess }: Pick<PollMemory, 'tries'>): number {
  return Math.max(tries, inProcess.get(id) ?? 0);
}

/**
 * Unfinished candidates wait. Those that failed get one more try on their count.
 * @returns the first one for which there is no room to wait, and why it could not be output.
 */
export function keepWaiting(
  candidates: readonly Candidate[],
  { settled, failed }: Tried,
  { state, memory }: Pick<PollContext<unknown, unknown>, 'state' | 'memory'>,
): { left: Candidate | null; failure?: unknown } {
  const { waiting } = state;
  for (const candidate of candidates) {
    const { id, revision } = candidate;
    if (settled.has(id)) {
      waiting.delete(id);
      memory.tries.delete(id);
      continue;
    }
    const failure = failed.get(id);
    if (!waiting.has(id) && waiting.size >= MOST_WAITING) return { left: candidate, failure };
    const tries = triesOf(candidate, memory) + (failure === undefined ? 0 : 1);
    waiting.set(id, { tries, revision });
    if (tries > 0) memory.tries.set(id, tries);
  }
  return { left: null };
}
