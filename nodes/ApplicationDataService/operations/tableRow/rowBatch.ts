import type { IDataObject } from 'n8n-workflow';

import { readCurrent, type CurrentRecord } from '../../service/read/current';
import { finishFiles } from '../../service/write/finishFiles';
import { readPresentOptions, recordPresenter } from '../../common/presentation';
import { optionFields, readRecord, type WriteOptions } from '../../service/read/records';
import { planRows, type RowOutcome } from '../../service/write/rows';
import { writeRecord, type WriteTarget } from '../../service/write/write';
import { buildWriteRequest } from '../../service/write/writeRequest';
import { toServiceError } from '../../service/http/errors';
import { concurrently, settle, type Settled } from '../../util/concurrently';
import type { ItemRun } from '../run/itemRun';
import type { Flow, ItemOutcome } from '../run/types';
import { presentDryRun } from '../output/dryRun';
import { filesOfItems, readRowItem, type ReadChange, type RowItem } from './rowItems';
import { afterWriting } from '../output/writeResult';

/**
 * Changes rows: those of one record in one update, several records at once. One failed write fails all items of its
 * record. All items are read before the first is written.
 */
export async function writeRows(
  items: readonly ItemRun[],
  flow: Flow,
  readChange: ReadChange,
): Promise<(ItemOutcome | undefined)[]> {
  const outcomes: (ItemOutcome | undefined)[] = items.map(() => undefined);
  const groups = new Map<string, [RowItem, ...RowItem[]]>();
  for (const item of items) {
    const read = await settle(async () => await readRowItem(item, readChange));
    if ('error' in read) {
      outcomes[item.index] = read;
      if (flow.stopOnError) return outcomes;
      continue;
    }
    const group = groups.get(read.value.group);
    if (group === undefined) groups.set(read.value.group, [read.value]);
    else group.push(read.value);
  }
  await concurrently(
    [...groups.values()].map((group) => async () => await writeGroup(group, outcomes)),
    flow,
  );
  return outcomes;
}

type Group = readonly [RowItem, ...RowItem[]];

/** @throws the first failure, so that no further record is begun where a failure ends the run. */
async function writeGroup(group: Group, outcomes: (ItemOutcome | undefined)[]): Promise<void> {
  const isDryRun = group[0].item.options().dryRun === true;
  const done = isDryRun ? await dryRun(group) : await writeOnce(group);
  const told = await settle(async () => await withRecord(group, done));
  group.forEach(({ item }, index) => {
    const result = 'value' in told ? told.value[index] : told;
    if (result === undefined) return;
    outcomes[item.index] = 'error' in result ? result : { output: [{ json: result.value }] };
  });
  const failure = group.map(({ item }) => outcomes[item.index]).find((each) => each && 'error' in each);
  if (failure !== undefined && 'error' in failure) throw failure.error;
}

/** What is remembered of an item for another try of the node. */
interface Remembered extends IDataObject {
  json: IDataObject;
  /** The record before the write, while its attachments are not verified. */
  before?: CurrentRecord;
}

/** Writes the items that were not written in an earlier try, then verifies the attachments of all. */
async function writeOnce(group: Group): Promise<Settled<IDataObject>[]> {
  let joined: RowItem[] = [];
  let write: Promise<Remembered[]> | undefined;
  const join = async (each: RowItem): Promise<Remembered> => {
    const position = joined.push(each) - 1;
    // All items have joined once this turn of the event loop is over.
    write ??= Promise.resolve().then(async () => await writeTogether(joined));
    return (await write)[position]!;
  };
  const written = await Promise.all(
    group.map(
      async (each) =>
        await settle(async () => await each.item.once(each.change, async () => await join(each))),
    ),
  );
  joined = [];
  return await finishAll(group, written);
}

async function writeTogether(items: readonly RowItem[]): Promise<Remembered[]> {
  const [first] = items;
  if (first === undefined) return [];
  const changes = items.map(({ change }) => change);
  let outcomes: readonly RowOutcome[] = [];
  const { before } = await writeRecord(first.app, {
    ...targetOf(items),
    needsCurrent: true,
    plan: (current) => {
      if (current === null) throw new Error('The record was not read');
      const plan = planRows(changes, current, first.context);
      outcomes = plan.outcomes;
      const outcome = plan.values.length > 0 ? 'updated' : 'unchanged';
      const addsRows = changes.some(({ kind }) => kind === 'add');
      return { outcome, revision: current.revision, values: plan.values, addsRows };
    },
  });
  return items.map((each, index) => {
    const outcome = outcomes[index]!;
    each.item.run.hints.count(outcome.outcome);
    return { json: tell(each, outcome), ...(before !== undefined && { before }) };
  });
}

function tell({ recordId, tell: more }: RowItem, outcome: RowOutcome): IDataObject {
  return { recordId, ...more(outcome), outcome: outcome.outcome };
}

function targetOf(items: readonly RowItem[]): WriteTarget {
  const { recordId, context, item } = items[0]!;
  const options: WriteOptions = { autoAction: item.options().autoAction !== false, relookupKeyParts: [] };
  return { id: recordId, context, options, uploadSource: filesOfItems(items) };
}

/** Verifies the attachments of what was written, in this try or in an earlier one. */
async function finishAll(
  group: Group,
  written: readonly Settled<Remembered>[],
): Promise<Settled<IDataObject>[]> {
  const pending = group.flatMap((each, index) => {
    const result = written[index];
    const before = result !== undefined && 'value' in result ? result.value.before : undefined;
    return before === undefined ? [] : [{ each, before }];
  });
  const [first] = pending;
  const finished =
    first === undefined
      ? { value: [] }
      : await settle(async () => {
          const items = pending.map(({ each }) => each);
          const { values } = planRows(
            items.map(({ change }) => change),
            first.before,
            first.each.context,
          );
          return await finishFiles(first.each.app, targetOf(items), values, first.before);
        });
  return group.map((each, index) => {
    const result = written[index]!;
    if ('error' in result) return result;
    const { json, before } = result.value;
    if (before !== undefined && 'error' in finished) return finished;
    if (before !== undefined) each.item.remember(each.change, { json });
    return { value: json };
  });
}

async function dryRun(group: Group): Promise<Settled<IDataObject>[]> {
  const [{ app, recordId, context }] = group;
  const planned = await settle(async () => {
    const current = await readCurrent(app, recordId, context);
    const { values, outcomes } = planRows(
      group.map(({ change }) => change),
      current,
      context,
    );
    const [output] = presentDryRun({
      outcome: values.length > 0 ? 'updated' : 'unchanged',
      action: 'update_data',
      fields: [
        ['app_id', app.reference],
        ['data_id', recordId],
        ['{{revision}}', String(current.revision)],
        ...optionFields(targetOf(group).options),
      ],
      request: buildWriteRequest(values, context.keyMode),
      values,
      current,
      context,
    });
    return group.map((each, index) => {
      const json = tell(each, outcomes[index]!);
      return { ...json, ...output?.json, ...json };
    });
  });
  return group.map((_, index) => ('error' in planned ? planned : { value: planned.value[index] ?? {} }));
}

/** With Return Record, the record is read once for all items of a group. */
async function withRecord(
  group: Group,
  done: readonly Settled<IDataObject>[],
): Promise<readonly Settled<IDataObject>[]> {
  const [{ app, recordId, context, item }] = group;
  const options = item.options();
  const isWanted = options.returnRecord === true && options.dryRun !== true;
  if (!isWanted || done.every((each) => 'error' in each)) return done;
  const present = recordPresenter(app.application.parts, context.keyMode, readPresentOptions(options));
  const record = await settle(async () => present(await readRecord(app, recordId), recordId));
  if ('error' in record) throw afterWriting(toServiceError(record.error), recordId, 'updated');
  return done.map((each) => ('error' in each ? each : { value: { ...record.value, ...each.value } }));
}
