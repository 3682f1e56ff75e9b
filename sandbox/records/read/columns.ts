import type { PartKind } from '../../parts/kind.ts';
import { kindOf } from '../../parts/kinds.ts';
import { isComputed, type Part } from '../../parts/part.ts';
import { keyOf } from './keys.ts';
import type { Access } from './rights.ts';

/** A part with its key, and everything that is the same for every record. */
export interface Column {
  readonly key: string;
  /** The key as JSON, with its colon; then with the beginning of a part-value object. */
  readonly name: string;
  readonly opening: string;
  readonly part: Part;
  /** The part cannot be written, whatever the record. */
  readonly denied: boolean;
  /** Set for a part whose value is in the record and is written unchanged. */
  readonly kind: PartKind | undefined;
}

/** The columns of those parts that have a key. */
export function columnsOf(parts: readonly Part[], access: Access, byIdentifier: boolean): Column[] {
  return parts.flatMap((part) => {
    const key = keyOf(part, byIdentifier);
    if (key === undefined) return [];
    const right = access.part(part);
    const special = part.source !== undefined || ['input_list', 'rel_list', 'expression'].includes(part.type);
    const name = `${JSON.stringify(key)}:`;
    return {
      key,
      name,
      opening: `${name}{"val":`,
      part,
      denied: isComputed(part) || part.readonly || right !== 'write',
      kind: special || right === 'none' ? undefined : kindOf(part),
    };
  });
}
