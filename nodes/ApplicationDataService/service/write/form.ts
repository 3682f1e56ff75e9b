import type { IDataObject } from 'n8n-workflow';

import type { KeyMode, RowWrite, WriteContext } from '../../parts/model/part';
import { partKey, ROW_ID_KEY } from '../../parts/model/keys';
import { readText, setOwn } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication } from '../application/session';
import type { EncodedPart } from '../../parts/encode';
import { ServiceError } from '../http/errors';
import type { Answer } from '../http/answer';
import type { FileContent, FormField } from '../http/multipart';

/** Revision that switches the service's check off (interface.md, "Limits"). */
export const NO_CHECK = 0;

/** A binary field to upload under a form field. */
interface Upload {
  readonly formField: string;
  readonly binaryField: string;
}

/** A request that writes, all but the content of its files. */
export interface WriteForm {
  readonly action: 'insert_data' | 'update_data' | 'delete_data';
  readonly fields: readonly FormField[];
  readonly uploads: readonly Upload[];
}

/** What an insert or update sends besides the part values. */
export interface FormOptions {
  /** `false` suppresses the service's automatic processing. */
  readonly autoAction: boolean;
  /** Ids of the key parts by which the service copies values into lookup parts. */
  readonly relookupKeyParts: readonly string[];
}

/** The file to upload for a name in the values to write. */
export type UploadSource = (name: string) => Promise<FileContent>;

/** Files to upload, by the names that the values give them. */
export type Contents = ReadonlyMap<string, FileContent>;

/** Keys under which a service may return the ID of a record that it has added. */
const ADDED_ID_KEYS = ['ID', 'id', 'data_id'] as const;

/** A record to write to, and with what. */
export interface WriteTarget {
  readonly id: string;
  readonly context: WriteContext;
  readonly options: FormOptions;
  readonly uploadSource: UploadSource;
}

type WriteTerms = Pick<WriteTarget, 'context' | 'options'>;

/** The request that adds a record (interface.md, "insert_data"). */
export function insertForm(
  app: NamedApplication,
  values: readonly EncodedPart[],
  terms: WriteTerms,
): WriteForm {
  return { action: 'insert_data', ...formOf(app, [], values, terms) };
}

/**
 * The request that changes a record (interface.md, "update_data").
 * @param id `null` for a record that is yet to be added.
 * @param revision for the service to check; 0 skips the check.
 */
export function updateForm(
  app: NamedApplication,
  id: string | null,
  revision: number,
  values: readonly EncodedPart[],
  terms: WriteTerms,
): WriteForm {
  const named: FormField[] = id === null ? [] : [['data_id', id]];
  return {
    action: 'update_data',
    ...formOf(app, [...named, ['{{revision}}', String(revision)]], values, terms),
  };
}

function formOf(
  app: NamedApplication,
  target: readonly FormField[],
  values: readonly EncodedPart[],
  { context, options }: WriteTerms,
): Omit<WriteForm, 'action'> {
  const { fields, uploads, removals } = valueFields(values, context.keyMode);
  const first: FormField = ['app_id', app.reference];
  return { fields: [first, ...target, ...optionFields(options, values), ...fields, ...removals], uploads };
}

/** The request that deletes records (interface.md, "delete_data"). */
export function deleteForm(app: NamedApplication, ids: readonly string[]): WriteForm {
  const fields: FormField[] = [
    ['app_id', app.reference],
    ['data_id', ids.join(',')],
  ];
  return { action: 'delete_data', fields, uploads: [] };
}

/** A key part whose value is not sent, because the record holds it, is not named (interface.md, "insert_data"). */
function optionFields(
  { autoAction, relookupKeyParts }: FormOptions,
  values: readonly EncodedPart[],
): FormField[] {
  const sent = relookupKeyParts.filter((id) => values.some(({ part }) => part.id === id));
  return [
    ...(autoAction ? [] : [['auto_action', 'off'] as const]),
    ...sent.map((id) => ['relookup_key_field', id] as const),
  ];
}

/**
 * Names the form fields of part values (interface.md, "insert_data": the part key in double braces).
 * @param place what precedes the key: of files in a row `{{table}}<row>.`, the row counted from 0 as it is sent.
 * @returns `removals`: fields that remove one attachment each, for updates only.
 */
export function valueFields(
  values: readonly EncodedPart[],
  mode: KeyMode,
  place = '',
): { readonly fields: FormField[]; readonly uploads: Upload[]; readonly removals: FormField[] } {
  const fields: FormField[] = [];
  const uploads: Upload[] = [];
  const removals: FormField[] = [];
  for (const { part, value } of values) {
    const field = `${place}{{${partKey(part, mode)}}}`;
    if (value.kind === 'text') fields.push([field, value.text]);
    if (value.kind === 'files') {
      uploads.push(...value.add.map((binaryField) => ({ formField: field, binaryField })));
      removals.push(...value.remove.map((id) => [`${field}.del_attachment_id`, id] as const));
    }
    if (value.kind !== 'rows') continue;
    fields.push([field, JSON.stringify(value.rows.map((row) => rowObject(row, mode)))]);
    for (const [index, row] of value.rows.entries()) {
      const files = valueFields(row.values, mode, `${field}${index}.`);
      uploads.push(...files.uploads);
      removals.push(...files.removals);
    }
  }
  return { fields, uploads, removals };
}

/** A row as the service takes it: child values by key, and `data_id` for an existing row. */
function rowObject(row: RowWrite, mode: KeyMode): object {
  const object: IDataObject = {};
  for (const { part, value } of row.values) {
    if (value.kind === 'text') setOwn(object, partKey(part, mode), value.text);
  }
  return row.id === undefined ? object : { ...object, [ROW_ID_KEY]: row.id };
}

/** Adds a record and returns its id (interface.md, "insert_data"). @throws ServiceError */
export async function sendInsert(
  app: ApplicationSession,
  form: WriteForm,
  contents: Contents,
): Promise<string> {
  const answer = await sendForm(app, form, contents);
  const id = ADDED_ID_KEYS.map((key) => readText(answer[key])).find((text) => text !== '');
  if (id !== undefined) return id;
  throw new ServiceError(
    'outcomeUnknown',
    'The service added the record but did not return its ID',
    'The record exists. Do not run this item again; look for it in the application.',
    { action: form.action },
  );
}

/**
 * Sends a request with its files, whose content is read meanwhile. Sent once, whatever happens.
 * @throws ServiceError
 */
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
