import type { RowWrite } from '../parts/codec';
import { partKey } from '../parts/keys';
import type { KeyMode } from '../parts/part';
import type { EncodedPart } from '../parts/record';
import type { FormField } from './client';

/** A binary field to upload under a form field. */
export interface Upload {
  readonly formField: string;
  readonly binaryField: string;
}

/** The part values of an insert or update as form fields. */
export interface WriteRequest {
  readonly fields: readonly FormField[];
  readonly uploads: readonly Upload[];
}

/** Names the form fields of part values (interface.md, "insert_data": the part key in double braces). */
export function buildWriteRequest(values: readonly EncodedPart[], mode: KeyMode): WriteRequest {
  const fields: FormField[] = [];
  const uploads: Upload[] = [];
  for (const { part, value } of values) {
    const field = `{{${partKey(part, mode)}}}`;
    switch (value.kind) {
      case 'text':
        fields.push([field, value.text]);
        break;
      case 'files':
        uploads.push(...value.add.map((binaryField) => ({ formField: field, binaryField })));
        break;
      case 'rows':
        fields.push([field, JSON.stringify(value.rows.map((row) => rowObject(row, mode)))]);
        value.rows.forEach((row, index) => uploads.push(...rowUploads(`${field}${index}`, row, mode)));
        break;
      case 'keep':
        break;
    }
  }
  return { fields, uploads };
}

/** A row as the service takes it: child values by key, and `data_id` for an existing row. */
function rowObject(row: RowWrite, mode: KeyMode): Record<string, string> {
  const entries = row.values.flatMap(({ part, value }) =>
    value.kind === 'text' ? [[partKey(part, mode), value.text] as const] : [],
  );
  return Object.fromEntries(row.id === undefined ? entries : [...entries, ['data_id', row.id]]);
}

/** Files of a row go as `{{table}}<row>.{{part}}`, the row counted from 0 as it is sent. */
function rowUploads(rowField: string, row: RowWrite, mode: KeyMode): Upload[] {
  return row.values.flatMap(({ part, value }) =>
    value.kind === 'files'
      ? value.add.map((binaryField) => ({ formField: `${rowField}.{{${partKey(part, mode)}}}`, binaryField }))
      : [],
  );
}
