import type { FormFile } from '../../service/client';
import type { Upload } from '../../service/writeRequest';
import { UserInputError } from '../run/errors';
import type { ItemRun } from '../run/itemRun';

/**
 * The files of an item that a write uploads.
 * @throws UserInputError when the item has no binary field of that name.
 */
export async function loadUploads(item: ItemRun, uploads: readonly Upload[]): Promise<FormFile[]> {
  return await Promise.all(uploads.map(async (upload) => await loadUpload(item, upload)));
}

async function loadUpload(item: ItemRun, { formField, binaryField }: Upload): Promise<FormFile> {
  const binary = item.binary[binaryField];
  if (binary === undefined) {
    const fields = Object.keys(item.binary);
    throw new UserInputError(
      `The item has no binary field "${binaryField}"`,
      fields.length === 0
        ? 'It carries no files at all. Check the node before this one.'
        : `Its binary fields are: ${fields.join(', ')}.`,
    );
  }
  const content = await item.run.context.helpers.getBinaryDataBuffer(item.index, binaryField);
  return {
    name: formField,
    fileName: binary.fileName ?? binaryField,
    content: new Blob([new Uint8Array(content)], { type: binary.mimeType }),
  };
}
