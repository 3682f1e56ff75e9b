import { encodeValue, type EncodedPart } from '../../parts/record';
import { findPart } from '../../parts/lookup';
import { namePart } from '../../parts/errors';
import { partKey } from '../../parts/keys';
import type { WriteContext } from '../../parts/codec';
import type { ConflictPolicy } from '../../service/conflict';
import { readCurrent } from '../../service/current';
import { optionFields } from '../../service/records';
import type { ApplicationSession } from '../../service/session';
import { planUpdate, updateRecord, type Update } from '../../service/update';
import { buildWriteRequest } from '../../service/writeRequest';
import { UserInputError } from '../run/errors';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../types';
import { presentDryRun } from './dryRun';
import { loadUploads } from './uploads';
import { writeOptions } from './writeOptions';
import { presentWrite, type WriteResult } from './writeResult';

/** An update as an item asks for it. */
export interface UpdateInput {
  readonly id: string;
  readonly values: readonly EncodedPart[];
  readonly policy: ConflictPolicy;
  readonly revision: number | null;
  readonly context: WriteContext;
}

/** The values of an item and, as empty values, the parts it wants emptied. */
export function withEmptiedParts(
  item: ItemRun,
  app: ApplicationSession,
  values: readonly EncodedPart[],
  context: WriteContext,
): readonly EncodedPart[] {
  const { partsToEmpty } = item.options();
  const { parts } = app.application;
  const emptied = (Array.isArray(partsToEmpty) ? partsToEmpty : []).map((text) => {
    const part = findPart(parts, String(text));
    if (values.some((value) => value.part === part && value.value.kind !== 'keep')) {
      throw new UserInputError(
        `Part ${namePart(part)} has a value and is to be emptied`,
        'Take it out of the parts to empty, or out of the mapping.',
      );
    }
    return { part, value: encodeValue(part, null, parts, context) };
  });
  return [...values.filter(({ part }) => !emptied.some((other) => other.part === part)), ...emptied];
}

/** @throws UserInputError for a part whose key is the revision's own parameter (interface.md, "update_data"). */
export function assertNoRevisionPart(values: readonly EncodedPart[], { keyMode }: WriteContext): void {
  const part = values.find((value) => partKey(value.part, keyMode) === 'revision')?.part;
  if (part === undefined) return;
  throw new UserInputError(
    `Part ${namePart(part)} cannot be changed: the service takes its key "revision" for the revision of the record`,
    "Change the part's name or identifier in the application's settings, or leave the part out.",
  );
}

/** Updates a record as an item asks, or tells what would be done. */
export async function runUpdate(
  item: ItemRun,
  app: ApplicationSession,
  input: UpdateInput,
): Promise<OutputItem[]> {
  const update = readUpdate(item, app, input);
  if (item.options().dryRun === true) return await dryRunUpdate(app, update);
  const result = await item.once({ id: update.id, values: update.values }, async (): Promise<WriteResult> => {
    return { id: update.id, outcome: await updateRecord(app, update) };
  });
  item.run.hints.count(result.outcome);
  return await presentWrite(item, app, update.context.keyMode, result);
}

function readUpdate(item: ItemRun, app: ApplicationSession, input: UpdateInput): Update {
  const { tableRowMode, skipUnchanged } = item.options();
  assertNoRevisionPart(input.values, input.context);
  return {
    ...input,
    known: item.json,
    rowMode: tableRowMode === 'replace' ? 'replace' : 'merge',
    skipUnchanged: skipUnchanged === true,
    options: writeOptions(item, app, input.values),
    loadFiles: async (uploads) => await loadUploads(item, uploads),
  };
}

async function dryRunUpdate(app: ApplicationSession, update: Update): Promise<OutputItem[]> {
  const { id, context } = update;
  const current = await readCurrent(app, id, context);
  const { outcome, values, revision } = planUpdate(update, current);
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
