import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part, WriteContext, WriteValue } from '../../parts/model/part';
import type { SimplifiedRecord } from '../../parts/record';
import { outputKey, partKey } from '../../parts/model/keys';
import { ownValue, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import type { FormField } from '../../service/http/multipart';
import type { NamedApplication } from '../../service/application/session';
import { valueOf } from '../../parts/types/entries';
import type { CurrentRecord } from '../../service/read/records';
import { insertForm, NO_CHECK, updateForm, type WriteForm, type WriteTarget } from '../../service/write/form';

/** What a write would do first. */
interface Planned {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  readonly values: readonly EncodedPart[];
  /** Those of the first request, where not all files travel with it. */
  readonly first?: readonly EncodedPart[];
  /** For the service to check. */
  readonly revision?: number;
}

/**
 * What would be sent (nothing, unless it creates or updates) and what would change.
 * @param current the record, with an empty ID if an earlier write would create it; `null` if it is not known.
 */
export function presentDryRun(
  app: NamedApplication,
  terms: Pick<WriteTarget, 'context' | 'options'>,
  { outcome, values, first = values, revision = NO_CHECK }: Planned,
  current: CurrentRecord | null,
): IDataObject {
  const { context } = terms;
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
