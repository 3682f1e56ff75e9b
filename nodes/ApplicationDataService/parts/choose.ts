import { UserError } from '../util/userError';
import { namePart } from './model/errors';
import { findPart, lookUpPart, partsCalled } from './model/lookup';
import { assertReadable } from './model/obstacle';
import type { KeyMode, Part } from './model/part';
import { describeList, shorten } from './values/describe';
import { jsonList, splitText } from './values/given';
import { readText } from './values/shapes';

/** The parts that a choice names, in any form. @param keyMode refuses what it cannot return @throws UserError */
export function chosenParts(
  parts: readonly Part[],
  choice: unknown,
  keyMode: KeyMode | null = null,
): readonly Part[] {
  if (choice === undefined || choice === '') return [];
  const texts = (Array.isArray(choice) ? choice : [choice ?? '']).map(readText);
  const chosen = [...new Set(texts.flatMap((text) => partsOf(parts, text)))];
  if (keyMode !== null) chosen.forEach((part) => assertReadable(part, parts, keyMode));
  return chosen;
}

function partsOf(parts: readonly Part[], text: string): readonly Part[] {
  if (text.trim() === '') return [];
  // A name may contain a comma, so the whole text is tried first.
  const whole = lookUpPart(parts, text);
  if (whole !== null) return [whole];
  const isAmbiguous = partsCalled(parts, text.trim()).length > 1;
  const pieces = isAmbiguous ? [text] : (jsonList(text)?.map(readText) ?? splitText(text, /[,\t\r\n]+/));
  return pieces.map((piece) => findPart(parts, piece));
}

/** The table part that a text names. @throws UserError for another part, or a text that names none, or two */
export function findTablePart(parts: readonly Part[], text: string): Part {
  const part = findPart(parts, text);
  if (part.codec.content === 'rows') return part;
  const tables = parts.filter((each) => each.codec.content === 'rows').map(({ name }) => `"${name}"`);
  throw wrongKind(part, 'table part', tables);
}

export interface AttachmentPart {
  readonly part: Part;
  readonly table: Part | null;
}

export function attachmentParts(parts: readonly Part[]): AttachmentPart[] {
  return parts.flatMap((part): AttachmentPart[] => {
    if (hasFiles(part)) return [{ part, table: null }];
    const files = part.codec.content === 'rows' ? part.children.filter(hasFiles) : [];
    return files.map((child) => ({ part: child, table: part }));
  });
}

function hasFiles({ codec }: Part): boolean {
  return codec.content === 'files';
}

/** The name of an attachment part in a saved workflow, e.g. `130.135`. */
export function attachmentPartId({ part, table }: AttachmentPart): string {
  return table === null ? part.id : `${table.id}.${part.id}`;
}

/** The attachment part that a text names; in a table part as `130.135` or `Lines.Drawing`. @throws UserError */
export function findAttachmentPart(parts: readonly Part[], text: string): AttachmentPart {
  const all = attachmentParts(parts);
  const fits = all.filter(({ part, table }) => {
    const tables = table === null ? [''] : textsOf(table).map((each) => `${each}.`);
    return tables.some((before) => textsOf(part).some((each) => `${before}${each}` === text.trim()));
  });
  const [place, ...others] = fits;
  if (place !== undefined && others.length === 0) {
    // Refused where it also names a part of another type (parameters.md, "Settled questions").
    if (place.table === null) findPart(parts, text);
    return place;
  }
  const names = (place === undefined ? all : fits).map(
    ({ part, table }) => `"${table === null ? '' : `${table.name}.`}${part.name}"`,
  );
  if (place === undefined) throw wrongKind(findPart(parts, text), 'attachment part', names);
  throw new UserError(
    `"${shorten(text, 60)}" fits ${fits.length} attachment parts: ${describeList(names)}`,
    'Name the part by its ID.',
  );
}

function textsOf({ id, name, identifier }: Part): readonly string[] {
  return [id, name, identifier].filter((text) => text !== '').map((text) => text.trim());
}

function wrongKind(part: Part, kind: 'table part' | 'attachment part', names: readonly string[]): UserError {
  const article = kind === 'table part' ? 'a' : 'an';
  return new UserError(
    `Part ${namePart(part)} is not ${article} ${kind}`,
    names.length === 0 ? `The application has no ${kind}s.` : `The ${kind}s are: ${describeList(names)}.`,
  );
}
