import type { IDataObject } from 'n8n-workflow';

import type { EncodedPart } from '../../parts/encode';
import type { KeyMode, WriteContext } from '../../parts/model/part';
import { partKey, ROW_ID_KEY } from '../../parts/model/keys';
import { setOwn } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication } from '../application/session';
import type { Answer } from '../http/answer';
import type { FileContent, FormField } from '../http/multipart';

/** Revision that switches the service's check off (interface.md, "Limits"). */
export const NO_CHECK = 0;

/** A request that writes, all but the content of its files. */
export interface WriteForm {
  readonly action: 'insert_data' | 'update_data' | 'delete_data';
  readonly fields: readonly FormField[];
  /** Binary fields, each under a form field. */
  readonly uploads: readonly { readonly formField: string; readonly binaryField: string }[];
}

export interface FormOptions {
  /** `false` suppresses the service's automatic processing. */
  readonly autoAction: boolean;
  /** Ids of the key parts by which the service copies values into lookup parts. */
  readonly relookupKeyParts: readonly string[];
}

/** Files to upload, by the names that the values give them. */
export type Contents = ReadonlyMap<string, FileContent>;

export interface WriteTarget {
  readonly id: string;
  readonly context: WriteContext;
  readonly options: FormOptions;
  readonly contents: Contents;
}

type WriteTerms = Pick<WriteTarget, 'context' | 'options'>;

/** The request that adds a record (interface.md, "insert_data"). */
export function insertForm(
  app: NamedApplication,
  values: readonly EncodedPart[],
  terms: WriteTerms,
): WriteForm {
  return writeForm('insert_data', [['app_id', app.reference]], values, terms);
}

/** The request that changes a record (interface.md, "update_data"); `id` is `null` for one that is yet to be added. */
export function updateForm(
  app: NamedApplication,
  id: string | null,
  revision: number,
  values: readonly EncodedPart[],
  terms: WriteTerms,
): WriteForm {
  const named: FormField[] = id === null ? [] : [['data_id', id]];
  const target: FormField[] = [['app_id', app.reference], ...named, ['{{revision}}', String(revision)]];
  return writeForm('update_data', target, values, terms);
}

/** The request that deletes records (interface.md, "delete_data"). */
export function deleteForm(app: NamedApplication, ids: readonly string[]): WriteForm {
  const fields = [['app_id', app.reference] as const, ['data_id', ids.join(',')] as const];
  return { action: 'delete_data', fields, uploads: [] };
}

function writeForm(
  action: WriteForm['action'],
  target: readonly FormField[],
  values: readonly EncodedPart[],
  { context, options }: WriteTerms,
): WriteForm {
  const form: Form = { fields: [...target], uploads: [], removals: [] };
  if (!options.autoAction) form.fields.push(['auto_action', 'off']);
  // A key part whose value is not sent, because the record holds it, is not named (interface.md, "insert_data").
  for (const id of options.relookupKeyParts)
    if (values.some(({ part }) => part.id === id)) form.fields.push(['relookup_key_field', id]);
  addValues(form, values, context.keyMode);
  return { action, fields: [...form.fields, ...form.removals], uploads: form.uploads };
}

interface Form {
  readonly fields: FormField[];
  readonly uploads: WriteForm['uploads'][number][];
  readonly removals: FormField[];
}

/**
 * Adds the form fields of part values (interface.md, "insert_data": the part key in double braces).
 * @param place what precedes the key: of files in a row `{{table}}<row>.`, the row counted from 0 as it is sent.
 */
function addValues(form: Form, values: readonly EncodedPart[], mode: KeyMode, place = ''): void {
  for (const { part, value } of values) {
    const field = `${place}{{${partKey(part, mode)}}}`;
    // Of a row, texts travel within the field of its table part.
    if (value.kind === 'text' && place === '') form.fields.push([field, value.text]);
    if (value.kind === 'files') {
      form.uploads.push(...value.add.map((binaryField) => ({ formField: field, binaryField })));
      form.removals.push(...value.remove.map((id) => [`${field}.del_attachment_id`, id] as const));
    }
    if (value.kind !== 'rows') continue;
    const rows = value.rows.map((row, index) => {
      addValues(form, row.values, mode, `${field}${index}.`);
      const object: IDataObject = {};
      for (const child of row.values)
        if (child.value.kind === 'text') setOwn(object, partKey(child.part, mode), child.value.text);
      return row.id === undefined ? object : { ...object, [ROW_ID_KEY]: row.id };
    });
    form.fields.push([field, JSON.stringify(rows)]);
  }
}

/** Sends a request with its files, read meanwhile. Sent once, whatever happens. @throws ServiceError */
export async function sendForm(
  app: ApplicationSession,
  { action, fields, uploads }: WriteForm,
  contents: Contents,
): Promise<Answer> {
  const files = uploads.map(({ formField, binaryField }) => ({
    name: formField,
    content: contents.get(binaryField)!,
  }));
  return await app.client.call(action, fields, files);
}
