import { namePart } from '../../parts/model/errors';
import { ServiceError } from '../http/errors';
import { counted } from '../../util/counted';
import type { FilePlace, StoredFile } from './filePlaces';
import type { FileContent } from '../http/multipart';

/** Files to upload, by their names in the values to write. */
export type Contents = ReadonlyMap<string, FileContent>;

/** An upload or removal that is still to be done. */
export type Step = { readonly place: FilePlace } & (
  { readonly add: string; readonly fileName: string } | { readonly remove: string }
);

/** Which stored file is which upload. */
export type Matches = ReadonlyMap<string, StoredFile>;

/**
 * An upload is a file that was not there before, of the same size; the name decides where several are. A service may also
 * alter what it is sent, re-encode a picture say: where it answered well, and as many new files of a name are there as
 * were sent, these are the uploads.
 * @param mayBeAltered whether the upload of this name was answered well.
 */
export function matchUploads(
  place: FilePlace,
  contents: Contents,
  mayBeAltered: (add: string) => boolean,
): Matches {
  const { change } = place;
  const fresh = freshFiles(place);
  const matches = new Map<string, StoredFile>();
  const claim = (fits: (file: StoredFile, content: FileContent) => boolean, names = change.add): void => {
    for (const name of names) {
      const content = contents.get(name);
      if (matches.has(name) || content === undefined) continue;
      const index = fresh.findIndex((file) => fits(file, content));
      const [file] = index === -1 ? [] : fresh.splice(index, 1);
      if (file !== undefined) matches.set(name, file);
    }
  };
  const ofName = (files: readonly { readonly name: string }[], wanted: string): number =>
    files.filter(({ name }) => name === wanted).length;
  const newOfName = new Map(
    change.add.map((name) => [name, ofName(fresh, contents.get(name)?.fileName ?? '')]),
  );
  const sent = change.add.map((name) => ({ name: contents.get(name)?.fileName ?? '' }));
  claim((file, { fileName, size }) => file.name === fileName && (file.size ?? size) === size);
  claim((file, { size }) => (file.size ?? size) === size);
  claim(
    (file, { fileName }) => file.name === fileName,
    change.add.filter(
      (name) =>
        mayBeAltered(name) && (newOfName.get(name) ?? 0) >= ofName(sent, contents.get(name)?.fileName ?? ''),
    ),
  );
  return matches;
}

/** Files that were not there before. */
function freshFiles({ before, now }: FilePlace): StoredFile[] {
  const known = new Set(before.map(({ id }) => id));
  return (now ?? []).filter(({ id }) => !known.has(id));
}

/** A file as the service keeps it. */
export interface StoredUpload {
  readonly name: string;
  /** Says how it differs from what was sent; absent if it does not. */
  readonly altered?: string;
}

/** The files of a place as the service keeps them, in the order in which they were given. */
export function storedUploads({ change }: FilePlace, matches: Matches, contents: Contents): StoredUpload[] {
  return change.add.flatMap((add) => {
    const stored = matches.get(add);
    if (stored === undefined) return [];
    const { name, size } = stored;
    const sent = contents.get(add)?.size ?? size;
    if (sent === null || sent === size) return { name };
    return { name, altered: `${name} (${counted(sent, 'byte')} sent, ${size} kept)` };
  });
}

/**
 * What is still to be done in a place of the record with an ID.
 * @throws ServiceError if the record does not show it, or has a new file that may be one of the uploads.
 */
export function stepsOf(id: string, place: FilePlace, matches: Matches, contents: Contents): Step[] {
  const { change, now } = place;
  if (now === undefined) throw unverifiable(id, place);
  const there = new Set(now.map(({ id }) => id));
  const additions = change.add
    .filter((name) => !matches.has(name))
    .map((add) => ({ place, add, fileName: contents.get(add)?.fileName ?? add }));
  const matched = new Set([...matches.values()].map(({ id }) => id));
  const others = freshFiles(place).filter(({ id }) => !matched.has(id));
  const unclear = additions.find(({ fileName }) => others.some(({ name }) => name === fileName));
  if (unclear !== undefined) throw mayBeThere(id, place, unclear.fileName);
  return [...change.remove.filter((id) => there.has(id)).map((remove) => ({ place, remove })), ...additions];
}

/** The same text for the same step of a later round. */
export function textOf(step: Step): string {
  const { part, row } = step.place;
  return JSON.stringify([
    row?.table.id,
    row?.id,
    part.id,
    'add' in step ? step.add : null,
    'remove' in step ? step.remove : null,
  ]);
}

/** What was not done, to follow "but". */
export function describe(step: Step): string {
  const { part } = step.place;
  return 'add' in step
    ? `the file "${step.fileName}" was not added to ${namePart(part)}`
    : `the file ${step.remove} was not removed from ${namePart(part)}`;
}

function unverifiable(id: string, { part }: FilePlace): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    `The record ${id} was written, with attachments of ${namePart(part)}, but does not show them`,
    'Ask for the right to read this part, and check in the application whether the files are there.',
  );
}

/** The file may have been altered, or be somebody else's: sending it again could add it twice. */
function mayBeThere(id: string, { part }: FilePlace, fileName: string): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    `The record ${id} was written, but it is not known whether the file "${fileName}" was added to ${namePart(part)}: a new file of that name has another size`,
    'Check in the application whether it is there. It was not sent again.',
  );
}
