import { readText } from '../../../nodes/ApplicationDataService/parts/values/shapes';
import { claimOf, type Said } from './judge';
import type { SecondWriter, Step, RecordState } from './secondWriter';

/** What an item of the list asks for. */
export interface Wanted {
  readonly n: string;
  readonly p: string;
}

/** What a run of Sync reported. */
export interface Report {
  /** Its output; `null` if the node failed or was cancelled. */
  readonly said: readonly Said[] | null;
  readonly error: string;
  /** The hint with the summary. */
  readonly sum: string;
}

/**
 * A sentence for each difference between what the node did and what it reported. The rival may have written meanwhile,
 * so it uses the state of the records at each step.
 */
export function judgeSync(
  wanted: readonly Wanted[],
  report: Report,
  writer: SecondWriter,
  /** How often an item may be created: more than once where the service says untruly that it was not. */
  mostCreated: number,
): string[] {
  const steps = writer.steps.filter(({ by }) => by === 'node');
  return [
    ...wanted.flatMap((item, index) => {
      const created = steps.flatMap((step) => added(step).filter(({ name }) => name === item.n));
      const said = report.said?.[index] ?? null;
      return [
        ...(created.length > mostCreated ? [`"${item.n}" was created ${created.length} times`] : []),
        ...judgeItem(item, said, steps, writer.steps),
      ];
    }),
    ...steps.flatMap((step) => judgeStep(wanted, step)),
    ...steps.flatMap((step) => judgeRemovals(wanted, step, writer)),
    ...judgeReport(wanted, report, steps, writer.steps.at(-1)?.after ?? new Map()),
  ];
}

const held = (records: ReadonlyMap<string, RecordState>, { n, p }: Wanted): boolean =>
  [...records.values()].some(({ name, price }) => name === n && price === p);

function judgeItem(item: Wanted, said: Said, own: readonly Step[], all: readonly Step[]): string[] {
  const created = own.flatMap((step) => added(step).filter(({ name }) => name === item.n));
  if (said === null) return [];
  const problems: string[] = [];
  const claim = claimOf(said);
  const written = own.some((step) => held(step.after, item) && !held(step.before, item));
  if (claim === 'notDone' && written) problems.push(`"${item.n}" was written, and is said not to be`);
  if (claim !== 'done' || said.error !== undefined) return problems;
  const ever = all.some(({ before, after }) => held(before, item) || held(after, item));
  if (all.length > 0 && !ever)
    problems.push(`"${item.n}" never held ${item.p}, and is ${readText(said.outcome)}`);
  if (said.outcome === 'created' && created.length === 0)
    problems.push(`"${item.n}" was not created, and is said to be`);
  return problems;
}

function added({ before, after }: Step): RecordState[] {
  return [...after].flatMap(([id, record]) => (before.has(id) ? [] : [record]));
}

/** Checks that the node writes prices of the list, and nothing else. */
function judgeStep(wanted: readonly Wanted[], { before, after }: Step): string[] {
  const prices = new Map(wanted.map(({ n, p }) => [n, p]));
  return [...after].flatMap(([id, record]) => {
    const was = before.get(id);
    if (was?.revision === record.revision) return [];
    const other = was !== undefined && (was.note !== record.note || was.name !== record.name);
    if (other) return [`record ${id} lost what somebody else wrote`];
    return prices.get(record.name) === record.price ? [] : [`record ${id} got ${record.price ?? 'no price'}`];
  });
}

/**
 * Checks that only records without an item are removed, as they were when they were read, and only when every item was
 * written.
 */
function judgeRemovals(wanted: readonly Wanted[], step: Step, writer: SecondWriter): string[] {
  const gone = [...step.before].filter(([id]) => !step.after.has(id));
  if (gone.length === 0) return [];
  const before = writer.steps.slice(0, writer.steps.indexOf(step));
  const isWritten = wanted.every((item) =>
    [step, ...before].some(({ before: was, after }) => held(was, item) || held(after, item)),
  );
  return [
    ...(isWritten ? [] : ['a record was removed although not every item was written']),
    ...gone.flatMap(([id, { name }]) => {
      const looked = writer.looked.get(id) ?? -1;
      if (writer.seen.get(id)?.has(looked) !== true)
        return [`record ${id} was removed although it had moved`];
      return wanted.some(({ n }) => n === name)
        ? [`record ${id} was removed although it is in the list`]
        : [];
    }),
  ];
}

/** Checks that the reported removals and the summary are what was done. */
function judgeReport(
  wanted: readonly Wanted[],
  { said, error, sum }: Report,
  steps: readonly Step[],
  end: ReadonlyMap<string, RecordState>,
): string[] {
  const gone = steps.flatMap(({ before, after }) => [...before.keys()].filter((id) => !after.has(id)));
  if (said === null) {
    const isWritten = steps.length > 0 && error.includes('Nothing was written.');
    return isWritten ? ['something was written, and the error says that nothing was'] : [];
  }
  const removals = said.slice(wanted.length);
  const named = new Set(removals.map((each) => readText(each?.id)));
  const problems = gone
    .filter((id) => !named.has(id) && !removals.some((each) => readText(each?.error).includes(id)))
    .map((id) => `record ${id} is gone, and nothing says so`);
  for (const each of removals) {
    const id = readText(each?.id);
    if (each?.outcome === 'conflict' && gone.includes(id)) problems.push(`record ${id} is gone, not kept`);
    if (each?.outcome === 'deleted' && end.has(id))
      problems.push(`record ${id} is there, and said to be deleted`);
  }
  return [...problems, ...judgeSum(said, sum)];
}

function judgeSum(said: readonly Said[], sum: string): string[] {
  const counted = ['created', 'updated', 'unchanged', 'deleted'].map(
    (outcome) => said.filter((each) => each?.outcome === outcome).length,
  );
  const numbers = [...sum.matchAll(/\d+/g)].slice(0, 4).map(([number]) => Number(number));
  const isSummedUp = sum !== '' || counted.some((count) => count > 0);
  if (!isSummedUp || JSON.stringify(numbers) === JSON.stringify(counted)) return [];
  return [`the hint says ${sum}, and the items say ${counted.join(', ')}`];
}
