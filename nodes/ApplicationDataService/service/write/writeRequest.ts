import type { IDataObject } from 'n8n-workflow';

import type { RowWrite, WriteValue } from '../../parts/model/codec';
import { partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/record';
import { setOwn } from '../../parts/values/shapes';
import type { FormField } from '../http/client';

/** A binary field to upload under a form field. */
export interface Upload {
  readonly formField: string;
  readonly binaryField: string;
}

/** The part values of an insert or update as form fields. */
export interface WriteRequest {
  readonly fields: readonly FormField[];
  readonly uploads: readonly Upload[];
  /** Fields that remove one attachment each; updates only. */
  readonly removals: readonly FormField[];
}

/** Names the form fields of part values (interface.md, "insert_data": the part key in double braces). */
export function buildWriteRequest(values: readonly EncodedPart[], mode: KeyMode): WriteRequest {
  const fields: FormField[] = [];
  const files: FileFields[] = [];
  for (const { part, value } of values) {
    const field = `{{${partKey(part, mode)}}}`;
    if (value.kind === 'text') fields.push([field, value.text]);
    if (value.kind === 'files') files.push(fileFields(field, value));
    if (value.kind === 'rows') {
      fields.push([field, JSON.stringify(value.rows.map((row) => rowObject(row, mode)))]);
      value.rows.forEach((row, index) => files.push(...rowFiles(`${field}${index}`, row, mode)));
    }
  }
  return {
    fields,
    uploads: files.flatMap(({ uploads }) => uploads),
    removals: files.flatMap(({ removals }) => removals),
  };
}

/** A row as the service takes it: child values by key, and `data_id` for an existing row. */
function rowObject(row: RowWrite, mode: KeyMode): object {
  const object: IDataObject = {};
  for (const { part, value } of row.values) {
    if (value.kind === 'text') setOwn(object, partKey(part, mode), value.text);
  }
  return row.id === undefined ? object : { ...object, data_id: row.id };
}

type FileFields = Pick<WriteRequest, 'uploads' | 'removals'>;

/** Files of a row go as `{{table}}<row>.{{part}}`, the row counted from 0 as it is sent. */
function rowFiles(rowField: string, row: RowWrite, mode: KeyMode): FileFields[] {
  return row.values.flatMap(({ part, value }: { part: Part; value: WriteValue }) =>
    value.kind === 'files' ? [fileFields(`${rowField}.{{${partKey(part, mode)}}}`, value)] : [],
  );
}

function fileFields(
  field: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): FileFields {
  return {
    uploads: add.map((binaryField) => ({ formField: field, binaryField })),
    removals: remove.map((id) => [`${field}.del_attachment_id`, id]),
  };
}
