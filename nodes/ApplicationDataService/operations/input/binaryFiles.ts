import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import { attempt, settle } from '../../util/concurrently';
import { messageOf, UserError } from '../../util/userError';
import { ServiceError } from '../../service/http/errors';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeList, shorten } from '../../parts/values/describe';
import { isObject, ownValue } from '../../parts/values/shapes';
import { fileChanges, fileNameForm } from '../../service/write/files';
import type { Contents } from '../../service/write/form';
import type { Item } from '../run/item';
import type { FileContent } from '../../service/http/multipart';
import type { EncodedPart } from '../../parts/encode';

/** Bytes read at once from n8n's store. */
const CHUNK_LENGTH = 262_144;

/** What most of many items upload. */
export const NO_FILES: Contents = new Map();

/**
 * The files of an item that its values upload. Their content is read only while it is sent.
 * @throws UserError when the item has no binary field of that name, or the file's name cannot be sent; ServiceError
 * `unreadableFile`, when n8n no longer has the file.
 */
export async function uploadsOf(item: Item, values: readonly EncodedPart[]): Promise<Contents> {
  const contents = new Map<string, FileContent>();
  for (const { part, value } of fileChanges(values))
    for (const name of value.add)
      if (!contents.has(name)) contents.set(name, await fileContent(item, name, part));
  return contents;
}

/** A number before the name of a field, which tells several files of an expression apart. */
const ORDINAL = /^\d+:/;

/**
 * The name under which a file is sent: its own, else that of its field with its extension, without which the service
 * would treat it as text.
 * @throws UserError for a name with half a character, which no service could keep.
 */
function fileNameOf(item: Item, field: string, { fileName, fileExtension }: IBinaryData): string {
  // Where n8n keeps files in an item's json, a field is the path to one.
  const name = Object.hasOwn(item.binary, field) ? field.replace(ORDINAL, '') : field.split('.').at(-1);
  const extension = fileExtension === undefined || fileExtension === '' ? '' : `.${fileExtension}`;
  const given = fileName === undefined || fileName === '' ? `${name}${extension}` : fileName;
  if (!/\p{Surrogate}/u.test(given)) return fileNameForm(given);
  throw new UserError(
    `The name of the file in the binary field "${field}" holds half a character`,
    'A text was cut in the middle of a character, an emoji for example. Rename the file.',
  );
}

/** Files that an expression returns, e.g. all of `.binary`, under their names: an agent's tool call contains none. */
export function expressedFiles(value: unknown): IBinaryKeyData {
  const files = filesIn(value);
  return Object.fromEntries(files.map(([name, file], index) => [`${index + 1}:${name}`, file]));
}

/** Files by the names of their fields; a list, or a file alone, names none. */
function filesIn(value: unknown, name = 'data'): (readonly [string, IBinaryData])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isBinary(value)) return [[name, value]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, each]) => filesIn(each, isList ? name : key));
}

function isBinary(value: object): value is IBinaryData {
  const { mimeType, data } = value as Partial<Record<string, unknown>>;
  return typeof mimeType === 'string' && typeof data === 'string';
}

async function fileContent(item: Item, field: string, part: Part): Promise<FileContent> {
  const file = binaryOf(item, field, part);
  const { mimeType: type, id, data, bytes } = file;
  const named = { fileName: fileNameOf(item, field, file), type };
  if (id === undefined) {
    // n8n holds it in the item itself (binary data mode "default").
    const read = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(data, 'base64'));
    };
    return { ...named, size: Buffer.from(data, 'base64').length, read };
  }
  const { helpers } = item.run.context;
  const size = await settle(async () => bytes ?? (await helpers.getBinaryMetadata(id)).fileSize);
  if ('error' in size) {
    throw new ServiceError(
      'unreadableFile',
      `n8n no longer has the file "${named.fileName}": ${messageOf(size.error)}`,
      'It may have been pruned with the execution that made it. Run the workflow again from the node that supplies the file.',
    );
  }
  return {
    ...named,
    size: size.value,
    async *read() {
      yield* (await helpers.getBinaryStream(id, CHUNK_LENGTH)) as AsyncIterable<Uint8Array>;
    },
  };
}

/** @param part that the file is meant for */
function binaryOf(item: Item, field: string, part: Part): IBinaryData {
  const own = ownValue(item.binary, field);
  if (own !== undefined) {
    const { id, data }: Partial<IBinaryData> = own;
    if (id !== undefined || data !== undefined) return own;
    const message = `The binary field "${shorten(field, 60)}" for part ${namePart(part)} holds no file`;
    throw new UserError(message, 'It has neither content nor an ID. Check the node that makes it.');
  }
  // Where a workflow keeps binary data in the items' json, `field` is a path to it. n8n's own error does not name the
  // existing fields; and n8n looks the name up in an object, where it also finds "constructor".
  const combined = attempt((): unknown => item.run.context.helpers.assertBinaryData(item.index, field));
  if ('value' in combined && isObject(combined.value) && isBinary(combined.value)) return combined.value;
  const fields = Object.keys(item.binary);
  const error = new UserError(
    `The item has no binary field "${shorten(field, 60)}" for part ${namePart(part)}`,
    fields.length === 0
      ? 'It carries no files at all. A file is named by its field, which n8n shows under "Binary" in the input, for example data. Check the node before this one.'
      : `Its binary fields are: ${describeList(fields, 20)}.`,
  );
  throw Object.assign(error, { part: part.name });
}
