import type { IDataObject } from 'n8n-workflow';

import { recordItem } from '../../common/recordItem';
import { namePart } from '../../parts/model/errors';
import { isIndeterminate, ServiceError } from '../../service/http/errors';
import { readCurrent } from '../../service/read/records';
import type { Checkpoint, Done } from '../../service/write/checkpoint';
import type { RowOutcome } from '../../service/write/mergeRows';
import { updateWrite, writeRecord } from '../../service/write/update';
import { settle, type Settled } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { presentDryRun } from '../output/dryRun';
import { noteAltered, readWritten } from '../output/written';
import type { OutputItem } from '../run/types';
import { type RowWork, updateOf, withFieldNames } from './rowWork';

type Works = NonEmpty<RowWork>;

/** Items of one record are processed in turn. Those with the same options are written in one update. */
export const inGroups = {
  serialKeyOf: ({ app, recordId }: RowWork): string => app.serialKey(recordId),
  groupOf: ({ context, options }: RowWork): string => {
    const { autoAction, dryRun, returnRecord } = options;
    const { keyMode, timezone, emptyIsOmitted } = context;
    return JSON.stringify([keyMode, timezone, emptyIsOmitted, autoAction, dryRun, returnRecord]);
  },
  runGroup: writeRows,
};

/** Changes rows of one record in one update. One failed write fails all items of its record. */
async function writeRows(works: Works): Promise<readonly Settled<OutputItem[]>[]> {
  const [{ app, context, options }] = works;
  if (options.dryRun) return await dryRun(works);
  const written = await writeOnce(works);
  const done = written.find((each) => 'value' in each);
  const record =
    options.returnRecord && done !== undefined
      ? await settle(
          async () => await readWritten(app, context.keyMode, { ...done.value, outcome: 'updated' }),
        )
      : { value: null };
  return works.map((work, index) => {
    const result = written[index]!;
    if ('error' in result) return result;
    if ('error' in record) return record;
    const { found } = result.value;
    const json = outputOf(work, found);
    return judged(work, record.value === null ? json : recordItem(record.value, json), found);
  });
}

/** Reports which rows did not exist, and fails if the options say so. */
function judged(
  { item, recordId, change, options }: RowWork,
  json: IDataObject,
  found: IDataObject | undefined,
): Settled<OutputItem[]> {
  const isUpdate = change.kind === 'update';
  const missing = isUpdate && json.outcome === 'notFound' ? [change.id] : ((json.notFound ?? []) as string[]);
  if (options.failIfNotFound === true && json.outcome === 'notFound') {
    const { existing } = found as unknown as RowOutcome;
    return {
      error: new UserError(
        `Record ${recordId} has no row ${missing.join(', ')} in ${namePart(change.table)}`,
        `${existing} Check the ID, or turn off "Fail If Not Found" in the options.`,
      ),
    };
  }
  item.run.hints.tally(
    isUpdate
      ? 'Rows not found, so there was nothing to change'
      : 'Rows not found, so there was nothing to delete',
    missing.length,
  );
  return { value: [{ json }] };
}

/** What is remembered of an item: the result of its own change. */
function outputOf({ recordId, describe }: RowWork, found: IDataObject | undefined): IDataObject {
  const outcome = found as unknown as RowOutcome;
  return { recordId, ...describe(outcome), outcome: outcome.outcome };
}

/** A work with the checkpoint of its item. */
interface Begun {
  readonly work: RowWork;
  readonly checkpoint: Checkpoint;
}

/** Writes the items together. What earlier tries wrote, or left in doubt, is finished as it was written. */
async function writeOnce(works: Works): Promise<Settled<Done>[]> {
  const begun = works.map((work): Begun => ({ work, checkpoint: work.item.checkpoint(work.change) }));
  const results = new Map<RowWork, Settled<Done>>();
  for (const group of groupBy(begun, ({ checkpoint }) => writtenWith(checkpoint) ?? '')) {
    const written = await settle(async () => await writeGroup(group));
    group.forEach(({ work, checkpoint }, index) => {
      results.set(work, 'error' in written ? written : { value: own(written.value, index, checkpoint) });
    });
    if ('value' in written) noteAltered(group[0].work.item, written.value);
  }
  return works.map((work) => results.get(work)!);
}

/** The first item of those that an earlier try wrote together. What is needed to finish the write is kept with it. */
function writtenWith({ done, indeterminate }: Checkpoint): string | undefined {
  if (done !== null) return done.group ?? '';
  return indeterminate instanceof ServiceError ? (indeterminate.details.sent?.group ?? '') : undefined;
}

async function writeGroup(group: NonEmpty<Begun>): Promise<Done> {
  const [{ work, checkpoint }, ...more] = group;
  const key = writtenWith(checkpoint);
  // Without the first item, it is not known what was written with it.
  if (checkpoint.indeterminate !== null && key !== String(work.item.index)) throw checkpoint.indeterminate;
  const write = updateWrite(updateOf([work, ...more.map((each) => each.work)]));
  return await writeRecord(work.app, write, together(group, String(work.item.index)));
}

/**
 * One checkpoint for all works of a write. Each item remembers the result of its own change, the first one how to
 * finish it.
 */
function together(group: NonEmpty<Begun>, key: string): Checkpoint {
  return {
    ...group[0].checkpoint,
    recordProgress: (done) =>
      group.forEach(({ checkpoint }, index) => {
        const { pending, ...rest } = own(done, index, checkpoint);
        checkpoint.recordProgress({
          ...rest,
          group: key,
          ...(index === 0 && pending !== undefined && { pending }),
        });
      }),
    failed: (error) =>
      group.forEach(({ checkpoint }, index) =>
        checkpoint.failed(isIndeterminate(error) ? error.ofGroup(key, index === 0) : error),
      ),
  };
}

/** The result of a write for one of its works. What an earlier try found out is kept. */
function own(done: Done, index: number, { done: earlier }: Checkpoint): Done {
  const found = earlier?.found ?? outcomesIn(done)?.[index];
  return { ...done, ...(found !== undefined && { found }) };
}

function outcomesIn({ found }: { readonly found?: IDataObject }): IDataObject[] | undefined {
  return found?.outcomes as IDataObject[] | undefined;
}

async function dryRun(works: Works): Promise<Settled<OutputItem[]>[]> {
  const [{ app, recordId, context }] = works;
  const current = await readCurrent(app, recordId, context);
  const update = updateOf(works);
  const plan = updateWrite(update).plan(current, null);
  const values = withFieldNames(plan.values);
  const planned = presentDryRun(app, update, { ...plan, values }, current);
  return works.map((work, index) => {
    const found = outcomesIn(plan)?.[index];
    const json = outputOf(work, found);
    return judged(work, { ...json, ...planned, ...json }, found);
  });
}
