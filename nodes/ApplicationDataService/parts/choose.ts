import { UserError } from '../util/userError';
import { namePart } from './model/errors';
import { findPart, lookUpPart, partsCalled } from './model/lookup';
import { assertReadable } from './model/obstacle';
import type { KeyMode, Part } from './model/part';
import { describeList, shorten } from './values/describe';
import { jsonList, splitText } from './values/lists';
import { readText } from './values/shapes';

/**
 * The parts that a saved choice names, each once. It is a list of IDs, names or identifiers, or, from an expression,
 * JSON text of a list or comma-separated texts. Empty for an empty choice.
 * @param keyMode if known, a part that the service cannot return, or tell from another one, is refused.
 * @throws PartLookupError for a text that names no part, or two; UserError for a part without a key of its own.
 */
export function chosenParts(
  parts: readonly Part[],
  choice: unknown,
  keyMode: KeyMode | null = null,
): readonly Part[] {
  if (choice === undefined || (Array.isArray(choice) && choice.length === 0)) return [];
  const texts = Array.isArray(choice) ? choice.map(readText) : [readText(choice)];
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

/**
 * The table part that a text names as its ID, name or identifier.
 * @throws UserError for a part of another type; PartLookupError for a text that names no part, or two.
 */
export function findTablePart(parts: readonly Part[], text: string): Part {
  const part = findPart(parts, text);
  if (part.codec.content === 'rows') return part;
  const tables = parts.filter((each) => each.codec.content === 'rows').map(({ name }) => `"${name}"`);
  throw new UserError(
    part.codec.content === 'references'
      ? `Part ${namePart(part)} is a reference list: its rows are records of another application`
      : `Part ${namePart(part)} is not a table part`,
    tables.length === 0
      ? 'The application has no table parts.'
      : `The table parts are: ${describeList(tables)}.`,
  );
}

/** An attachment part: of the record, or of the rows of a table part. */
export interface AttachmentPart {
  readonly part: Part;
  readonly table: Part | null;
}

/** The attachment parts of an application, including those in its table parts, in the application's order. */
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

/** The name of an attachment part in a saved workflow, e.g. `130.135`, and on screen. */
export function attachmentPartId({ part, table }: AttachmentPart): string {
  return table === null ? part.id : `${table.id}.${part.id}`;
}

function nameAttachmentPart({ part, table }: AttachmentPart): string {
  return table === null ? `"${part.name}"` : `"${table.name}.${part.name}"`;
}

/**
 * The attachment part that a text names: the part's ID, name or identifier or, in a table part, those of both with a
 * dot in between, e.g. `130.135` or `Lines.Drawing`.
 * @throws UserError for a part of another type; PartLookupError for a text that names no part, or several.
 */
export function findAttachmentPart(parts: readonly Part[], text: string): AttachmentPart {
  const whole = lookUpPart(parts, text);
  const fits = [...(whole === null ? [] : [{ part: whole, table: null }]), ...dottedFits(parts, text)];
  const files = fits.filter(({ part }) => hasFiles(part));
  const [found, other] = files;
  if (found === undefined) throw noAttachmentPart(fits[0]?.part ?? findPart(parts, text), parts);
  if (other === undefined) return found;
  throw new UserError(
    `"${shorten(text, 60)}" fits ${files.length} attachment parts: ${describeList(files.map(nameAttachmentPart))}`,
    'Name the part by its ID.',
  );
}

/** A name may also contain dots, so each dot may be the separator. */
function dottedFits(parts: readonly Part[], text: string): AttachmentPart[] {
  return [...text.slice(0, MAX_NAMES).matchAll(/\./g)].flatMap(({ index: dot }) => {
    const table = lookUpPart(parts, text.slice(0, dot));
    if (table?.codec.content !== 'rows') return [];
    const part = lookUpPart(table.children, text.slice(dot + 1));
    return part === null ? [] : [{ part, table }];
  });
}

/** Longer than the names of two parts: a long text of dots would be looked up at each of them. */
const MAX_NAMES = 1000;

function noAttachmentPart(part: Part, parts: readonly Part[]): UserError {
  const names = attachmentParts(parts).map(nameAttachmentPart);
  const inside = part.children.find(hasFiles);
  const advice = inside === undefined ? '' : `Name the part inside it, e.g. "${part.id}.${inside.id}". `;
  return new UserError(
    `Part ${namePart(part)} is not an attachment part`,
    `${advice}${names.length === 0 ? 'The application has no attachment parts.' : `The attachment parts are: ${describeList(names)}.`}`,
  );
}
