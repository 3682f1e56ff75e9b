import type { IDataObject } from 'n8n-workflow';

import { recordItem, recordPresenter } from '../../common/presentation';
import { holds, type StoredRow } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part, RowWrite, WriteContext, WriteValue } from '../../parts/model/part';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import { ownValue, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication } from '../../service/application/session';
import { toServiceError } from '../../service/http/errors';
import type { FormField } from '../../service/http/multipart';
import { readRecord, type ShownRecord } from '../../service/read/records';
import { insertForm, NO_CHECK, updateForm, type WriteForm, type WriteTarget } from '../../service/write/form';
import type { ItemOutcome, Progress } from '../../service/write/checkpoint';
import { settle } from '../../util/concurrently';

/** The ID and outcome of a write; with Return Record, the record as Get returns it, plus the outcome. */
export async function presentWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  { id, items }: Progress,
  returnRecord: boolean,
): Promise<IDataObject> {
  const { outcome } = items[0]!;
  if (!returnRecord) return { id, outcome };
  return recordItem(await readWritten(app, keyMode, id, outcome), { outcome });
}

/** The record after a write. @throws ServiceError which says that the write was done. */
export async function readWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  id: string,
  outcome: ItemOutcome['outcome'],
): Promise<IDataObject> {
  const { simplify } = recordPresenter(app.application.parts, keyMode);
  const read = await settle(async () => simplify(await readRecord(app, id), id));
  if ('value' in read) return read.value;
  const failure = toServiceError(read.error);
  throw failure.reworded(
    `The record ${id} is ${outcome}, but could not be read afterwards: ${failure.message}`,
    `The write itself is finished; do not repeat it. ${failure.description}`,
  );
}

interface Planned extends Pick<ItemOutcome, 'outcome'> {
  /** All that would change. */
  readonly values: readonly EncodedPart[];
  /** What the first request would send. */
  readonly request?: readonly EncodedPart[];
  /** Revision for the service to check. */
  readonly revision?: number;
}

/**
 * What would be sent (nothing, unless it creates or updates) and what would change, each left out where it is empty.
 * @param current the record, with an empty ID if an earlier write would create it; `null` if it is not known.
 */
export function presentDryRun(
  app: NamedApplication,
  terms: Pick<WriteTarget, 'context' | 'options'>,
  planned: Planned,
  current: ShownRecord | null,
): IDataObject {
  const { context } = terms;
  const { outcome, values, request = values, revision = NO_CHECK } = planned;
  const changes = plannedChanges(values, current, context);
  const id = current === null || current.id === '' ? null : current.id;
  const form =
    outcome === 'created' ? insertForm(app, request, terms) : updateForm(app, id, revision, request, terms);
  const isSent = outcome === 'created' || outcome === 'updated';
  return {
    outcome,
    dryRun: true,
    ...(Object.keys(changes).length > 0 && { changes }),
    ...(isSent && { request: requestOf(form) }),
  };
}

function plannedChanges(
  values: readonly EncodedPart[],
  current: ShownRecord | null,
  context: WriteContext,
): IDataObject {
  const changes: IDataObject = {};
  for (const { part, value } of values) {
    const stored = current === null ? undefined : valueOf(current.record, part, context);
    if (current !== null && holds(part, value, stored, context) === true) continue;
    const to = plannedValue(part, value, context);
    const from = current === null ? undefined : (stored ?? null);
    setOwn(changes, partKey(part, context.keyMode), from === undefined ? { to } : { from, to });
  }
  return changes;
}

/** What would change in rows of a table part: those that stood there, and as they would be sent. */
export function presentRows(
  table: Part,
  from: readonly StoredRow[],
  rows: readonly RowWrite[],
  context: WriteContext,
): IDataObject {
  const to = plannedValue(table, { kind: 'rows', rows }, context);
  const changes: IDataObject = {};
  setOwn(changes, partKey(table, context.keyMode), from.length === 0 ? { to } : { from: [...from], to });
  return changes;
}

/** A record as it would be once plain values are written. */
export function plannedRecord(
  record: SimplifiedRecord,
  values: readonly EncodedPart[],
  context: WriteContext,
): SimplifiedRecord {
  const planned = { ...record };
  for (const { part, value } of values)
    if (value.kind === 'text')
      setOwn(planned, outputKey(partKey(part, context.keyMode)), plannedValue(part, value, context));
  return planned;
}

/** A request as an object of form fields. A repeated field becomes a list. */
export function requestOf({ action, fields, uploads }: WriteForm): IDataObject {
  const object: IDataObject = {};
  const files = uploads.map(({ formField, binaryField }): FormField => [formField, `(file ${binaryField})`]);
  for (const [name, value] of [['action', action] as const, ...fields, ...files]) {
    const earlier = ownValue(object, name);
    const all = earlier === undefined ? value : [earlier, value].flat();
    setOwn(object, name, all);
  }
  return object;
}

function plannedValue(part: Part, value: WriteValue, context: WriteContext): SimplifiedValue {
  if (value.kind === 'text') {
    if (part.codec.members === undefined) return part.codec.read({ val: value.text }, part);
    return value.text === '' ? [] : value.text.split('\t').map((id) => ({ id }));
  }
  if (value.kind === 'files') return { add: [...value.add], remove: [...value.remove] };
  if (value.kind !== 'rows') return value.kind === 'empty' ? [] : null;
  return value.rows.map((row) => {
    const object: IDataObject = { id: row.id ?? null };
    for (const child of row.values)
      setOwn(
        object,
        outputKey(partKey(child.part, context.keyMode)),
        plannedValue(child.part, child.value, context),
      );
    return object;
  });
}
