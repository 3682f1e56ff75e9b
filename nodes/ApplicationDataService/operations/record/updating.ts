import { UserError } from '../../util/userError';
import { encodeValue, type EncodedPart } from '../../parts/record';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import type { WriteContext } from '../../parts/model/codec';
import type { ConflictPolicy } from '../../service/write/conflict';
import { readCurrent } from '../../service/read/current';
import { chosenParts } from '../../parts/choose/chosenParts';
import { optionFields } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import { planRound, settleUpdate, updateRecord, type Update } from '../../service/write/update';
import { buildWriteRequest } from '../../service/write/writeRequest';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../run/types';
import { presentDryRun } from '../output/dryRun';
import { itemFiles } from '../input/uploads';
import { writeOptions } from '../input/writeOptions';
import { finish, presentWrite, type WriteResult } from '../output/writeResult';

/** An update as an item asks for it. */
export interface UpdateInput extends ItemChange {
  readonly id: string;
  readonly policy: ConflictPolicy;
  readonly revision: number | null;
  readonly context: WriteContext;
}

/** What an item is to change of a record. */
export interface ItemChange {
  /** With empty values for the parts that the item wants emptied. */
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts that the item wants emptied: an empty value would leave them as they are. */
  readonly emptied: readonly Part[];
}

/** The values of an item, and the parts it wants emptied. */
export function withEmptiedParts(
  item: ItemRun,
  app: ApplicationSession,
  values: readonly EncodedPart[],
  context: WriteContext,
): ItemChange {
  const { parts } = app.application;
  const toEmpty = chosenParts(parts, item.options().partsToEmpty).map((part) => {
    if (values.some((value) => value.part === part && !isNoValue(value))) {
      throw new UserError(
        `Part ${namePart(part)} has a value and is to be emptied`,
        'Take it out of the parts to empty, or out of the mapping.',
      );
    }
    return { part, value: encodeValue(part, null, parts, context) };
  });
  const others = values.filter(({ part }) => !toEmpty.some((emptied) => emptied.part === part));
  return {
    values: [...others, ...toEmpty.filter(({ value }) => value.kind === 'text')],
    emptied: toEmpty.filter(({ value }) => value.kind !== 'text').map(({ part }) => part),
  };
}

/** Whether a value says nothing, or that the part be empty. */
function isNoValue({ value }: EncodedPart): boolean {
  if (value.kind === 'text') return value.text === '';
  return value.kind === 'keep' || (value.kind === 'rows' && value.rows.length === 0);
}

/** @throws UserError for a part whose key is the revision's own parameter (interface.md, "update_data"). */
export function assertNoRevisionPart(values: readonly EncodedPart[], { keyMode }: WriteContext): void {
  const part = values.find(
    (value) => value.value.kind !== 'keep' && partKey(value.part, keyMode) === 'revision',
  )?.part;
  if (part === undefined) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be changed: the service takes its key "revision" for the revision of the record`,
    "Change the part's name or identifier in the application's settings, or leave the part out.",
  );
}

/** Checks what an item asks for; gives what updates the record, or tells what would be done. */
export function planUpdate(
  item: ItemRun,
  app: ApplicationSession,
  input: UpdateInput,
): () => Promise<OutputItem[]> {
  const update = readUpdate(item, app, input);
  return async () =>
    item.options().dryRun === true ? await dryRunUpdate(app, update) : await runUpdate(item, app, update);
}

async function runUpdate(item: ItemRun, app: ApplicationSession, update: Update): Promise<OutputItem[]> {
  const { id, values, emptied } = update;
  const asked = { id, values, emptied: emptied.map((part) => part.id) };
  const result = await item.once<WriteResult>(
    asked,
    async () => ({ id, ...(await updateRecord(app, update)) }),
    async (doubt) => ({ id, ...(await settleUpdate(app, update, doubt)) }),
  );
  await finish(item, app, asked, result, update, (before) => planRound(update, before).values);
  item.run.hints.count(result.outcome);
  return await presentWrite(item, app, update.context.keyMode, result);
}

function readUpdate(item: ItemRun, app: ApplicationSession, input: UpdateInput): Update {
  const { tableRowMode, skipUnchanged } = item.options();
  assertNoRevisionPart(input.values, input.context);
  return {
    ...input,
    // What an agent gives under a part's name is what it writes, not what it has read.
    known: item.run.byAgent ? {} : item.json,
    rowMode: tableRowMode === 'replace' ? 'replace' : 'merge',
    skipUnchanged: skipUnchanged === true,
    options: writeOptions(item, app, input.values),
    uploadSource: itemFiles(item, input.values),
  };
}

async function dryRunUpdate(app: ApplicationSession, update: Update): Promise<OutputItem[]> {
  const { id, context } = update;
  const current = await readCurrent(app, id, context);
  const { outcome, values, revision } = planRound(update, current);
  return presentDryRun({
    id,
    outcome,
    action: 'update_data',
    fields: [
      ['app_id', app.reference],
      ['data_id', id],
      ['{{revision}}', String(revision)],
      ...optionFields(update.options),
    ],
    request: buildWriteRequest(values, context.keyMode),
    values,
    current,
    context,
  });
}
