import type { WriteValue } from '../../parts/model/codec';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { filesOf, type StoredFile } from './filePlaces';
import type { Contents } from './fileSteps';

type FilesValue = Extract<WriteValue, { readonly kind: 'files' }>;

/**
 * What is left to do of a change of files: a file is there where one of the same name is, each for one; what is to be removed
 * and is not there is removed already.
 * @param stored the simplified value of the attachment part.
 * @returns also how many of the files that are there have another size; `null` if the record does not show its files.
 */
export function lackingFiles(
  { add, remove }: FilesValue,
  stored: SimplifiedValue | undefined,
  contents: Contents,
): { readonly value: WriteValue; readonly otherSize: number } | null {
  const there = filesOf(stored);
  if (there === undefined) return null;
  const gone = new Set(remove);
  const left = there.filter(({ id }) => !gone.has(id));
  const held = add.flatMap((name) => {
    const file = take(left, name, contents);
    return file === null ? [] : [{ name, file }];
  });
  const lacking = add.filter((name) => !held.some((each) => each.name === name));
  const removed = there.filter(({ id }) => gone.has(id)).map(({ id }) => id);
  const otherSize = held.filter(({ name, file }) => (contents.get(name)?.size ?? file.size) !== file.size);
  return {
    value:
      lacking.length + removed.length === 0
        ? { kind: 'keep' }
        : { kind: 'files', add: lacking, remove: removed },
    otherSize: otherSize.filter(({ file }) => file.size !== null).length,
  };
}

/** Takes the file of the same name out of those that are there, one of the same size before others. */
function take(left: StoredFile[], name: string, contents: Contents): StoredFile | null {
  const content = contents.get(name);
  const ofName = left.filter((file) => file.name === content?.fileName);
  const file = ofName.find(({ size }) => size === content?.size) ?? ofName[0];
  if (file === undefined) return null;
  left.splice(left.indexOf(file), 1);
  return file;
}
