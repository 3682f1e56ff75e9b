import type { IDataObject } from 'n8n-workflow';

import { recordItem, recordPresenter } from '../../common/presentation';
import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part, WriteContext, WriteValue } from '../../parts/model/part';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import { ownValue, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication } from '../../service/application/session';
import { toServiceError } from '../../service/http/errors';
import type { FormField } from '../../service/http/multipart';
import { type CurrentRecord, readRecord } from '../../service/read/records';
import { insertForm, NO_CHECK, updateForm, type WriteForm, type WriteTarget } from '../../service/write/form';
import type { WritePlan } from '../../service/write/update';
import type { Done } from '../../service/write/writeRecord';
import { settle } from '../../util/concurrently';

/** The ID and outcome of a write; with Return Record, the record as Get returns it, plus the outcome. */
export async function presentWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  done: Done,
  returnRecord: boolean,
): Promise<IDataObject> {
  const { id, outcome } = done;
  return returnRecord ? recordItem(await readWritten(app, keyMode, done), { outcome }) : { id, outcome };
}

/** The record after a write. @throws ServiceError which says that the write was done. */
export async function readWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  { id, outcome }: Done,
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

/**
 * What would be sent (nothing, unless it creates or updates) and what would change.
 * @param planned all values, those of the first request, and the revision for the service to check.
 * @param current the record, with an empty ID if an earlier write would create it; `null` if it is not known.
 */
export function presentDryRun(
  app: NamedApplication,
  terms: Pick<WriteTarget, 'context' | 'options'>,
  planned: Pick<Done, 'outcome'> & Pick<WritePlan, 'values'> & Partial<Pick<WritePlan, 'first' | 'revision'>>,
  current: CurrentRecord | null,
): IDataObject {
  const { context } = terms;
  const { outcome, values, first = values, revision = NO_CHECK } = planned;
  const changes: IDataObject = {};
  for (const { part, value } of values) {
    const stored = current === null ? undefined : valueOf(current.record, part, context);
    if (current !== null && holds(part, value, stored, context) === true) continue;
    const to = written(part, value, context);
    const from = current === null ? undefined : (stored ?? null);
    setOwn(changes, partKey(part, context.keyMode), from === undefined ? { to } : { from, to });
  }
  const id = current === null || current.id === '' ? null : current.id;
  const form =
    outcome === 'created' ? insertForm(app, first, terms) : updateForm(app, id, revision, first, terms);
  const isSent = outcome === 'created' || outcome === 'updated';
  return { outcome, dryRun: true, changes, request: isSent ? requestOf(form) : {} };
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
      setOwn(planned, outputKey(partKey(part, context.keyMode)), written(part, value, context));
  return planned;
}

/** A request as an object of form fields. A repeated field becomes a list. */
export function requestOf({ action, fields, uploads }: WriteForm): IDataObject {
  const object: IDataObject = {};
  const files = uploads.map(({ formField, binaryField }): FormField => [formField, `(file ${binaryField})`]);
  for (const [name, value] of [['action', action] as const, ...fields, ...files]) {
    const known = ownValue(object, name);
    const all = known === undefined ? value : [known, value].flat();
    setOwn(object, name, all);
  }
  return object;
}

function written(part: Part, value: WriteValue, context: WriteContext): SimplifiedValue {
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
        written(child.part, child.value, context),
      );
    return object;
  });
}
