import type { Stored, StoredFile } from './part.ts';
import { container, countOf, idOf } from './shapes.ts';
import type { PartKind } from './kind.ts';

/** The attached files. */
export function filesOf(value: Stored | undefined): readonly StoredFile[] {
  return Array.isArray(value) ? (value as StoredFile[]) : [];
}

const fileNames = (value: Stored | undefined): string[] => filesOf(value).map((file) => file.name);

/** Attachment files: written as multipart files, searched by their names only. */
export const files: PartKind = {
  traits: { searchable: true, sortable: false, filterable: true, set: false },
  render: (value, part, context) => {
    const { dialect } = context;
    const items = filesOf(value).map((file) => ({
      id: idOf(file.id, dialect),
      attachdisp: file.name,
      mimetype: file.mimeType,
      url: context.fileUrl(part, file),
      size: countOf(file.size, dialect),
    }));
    return container('attach', items, dialect);
  },
  keys: fileNames,
  texts: fileNames,
  operand: (text) => text,
};
