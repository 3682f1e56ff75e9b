import type { IDataObject } from 'n8n-workflow';

import { codecOf } from '../../parts/codecs';
import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { WriteContext, WriteValue } from '../../parts/model/codec';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { ownValue, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import type { FormField } from '../../service/http/multipart';
import { type CurrentRecord, valueOf } from '../../service/read/records';
import type { WriteForm } from '../../service/write/form';

interface DryRun {
  readonly id?: string;
  readonly outcome: string;
  readonly form: WriteForm;
  readonly values: readonly EncodedPart[];
  /** The record as it is; `null` for one that would be created. */
  readonly current: CurrentRecord | null;
  readonly context: WriteContext;
}

/**
 * What would be sent (nothing, unless it creates or updates) and what would change: the shape of the write's own
 * output, with more keys.
 */
export function presentDryRun({ id, outcome, form, values, current, context }: DryRun): IDataObject {
  const changes: IDataObject = {};
  for (const { part, value } of values) {
    const stored = current === null ? undefined : valueOf(current.record, part, context);
    if (current !== null && holds(part, value, stored, context) === true) continue;
    const to = written(part, value, context);
    const from = current === null ? undefined : (stored ?? null);
    setOwn(changes, partKey(part, context.keyMode), from === undefined ? { to } : { from, to });
  }
  const isSent = outcome === 'created' || outcome === 'updated';
  const json: IDataObject = { outcome, dryRun: true, changes, request: isSent ? requestOf(form) : {} };
  return id === undefined ? json : { id, ...json };
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
  switch (value.kind) {
    case 'text':
      if (codecOf(part).members !== undefined) {
        return value.text === '' ? [] : value.text.split('\t').map((id) => ({ id }));
      }
      return codecOf(part).read({ val: value.text }, part);
    case 'files':
      return { add: [...value.add], remove: [...value.remove] };
    case 'rows':
      return value.rows.map((row) => {
        const object: IDataObject = { id: row.id ?? null };
        for (const child of row.values) {
          setOwn(
            object,
            outputKey(partKey(child.part, context.keyMode)),
            written(child.part, child.value, context),
          );
        }
        return object;
      });
    case 'keep':
      return null;
  }
}
