import { UserError } from '../../util/userError';
import { describeList, shorten } from '../values/describe';
import { namePart } from '../model/errors';
import { findPart, lookUpPart } from '../model/lookup';
import type { Part } from '../model/part';

/** An attachment part: of the record, or of the rows of a table part. */
export interface AttachmentPart {
  readonly part: Part;
  readonly table: Part | null;
}

/** The attachment parts of an application, including those in its table parts, in the application's order. */
export function attachmentParts(parts: readonly Part[]): AttachmentPart[] {
  return parts.flatMap((part): AttachmentPart[] => {
    if (part.codec.content === 'files') return [{ part, table: null }];
    if (part.codec.content !== 'rows') return [];
    return part.children
      .filter((child) => child.codec.content === 'files')
      .map((child) => ({ part: child, table: part }));
  });
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
  const files = fits.filter(({ part }) => part.codec.content === 'files');
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
    if (table === null || table.codec.content !== 'rows') return [];
    const part = lookUpPart(table.children, text.slice(dot + 1));
    return part === null ? [] : [{ part, table }];
  });
}

/** Longer than the names of two parts: a long text of dots would be looked up at each of them. */
const MAX_NAMES = 1000;

function noAttachmentPart(part: Part, parts: readonly Part[]): UserError {
  const names = attachmentParts(parts).map(nameAttachmentPart);
  const inside = part.children.find((child) => child.codec.content === 'files');
  const advice = inside === undefined ? '' : `Name the part inside it, e.g. "${part.id}.${inside.id}". `;
  return new UserError(
    `Part ${namePart(part)} is not an attachment part`,
    `${advice}${names.length === 0 ? 'The application has no attachment parts.' : `The attachment parts are: ${describeList(names)}.`}`,
  );
}
