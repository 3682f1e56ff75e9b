import { UserError } from '../../util/userError';
import type { PartCodec } from './codec';
import { namePart } from './errors';
import { partKey } from './keys';
import { duplicateKeys } from './lookup';
import type { KeyMode, Part } from './part';

/** Why no value of a part may be written (design.md, Output); `null` when it may. */
export function writeObstacle(part: Part, codec: PartCodec): string | null {
  if (part.reference) return 'it is a reference part, whose value comes from another record';
  if (part.system) return 'it is a system part, which the service fills in';
  if (codec.write === undefined) return `parts of type ${part.type || '(none)'} take ${codec.accepts}`;
  return part.readOnly ? 'it is read-only' : null;
}

/**
 * How a part is written; the value must not be a rounded number.
 * @throws UserError when no value of the part may be written.
 */
export function writerOf(part: Part, codec: PartCodec): NonNullable<PartCodec['write']> {
  const reason = writeObstacle(part, codec);
  const { write } = codec;
  if (reason === null && write !== undefined) return write;
  throw new UserError(
    `Part ${namePart(part)} cannot be written: ${reason}`,
    'Leave this part out of the values to write.',
  );
}

/**
 * Refuses a part that a request cannot name unambiguously: one without a key, one that shares its key with another
 * part, or one with the double braces that enclose keys in its key (interface.md, insert_data).
 * @throws UserError
 */
export function assertAddressable(part: Part, siblings: readonly Part[], mode: KeyMode): void {
  const key = partKey(part, mode);
  const kind = mode === 'name' ? 'name' : 'identifier';
  const cause = addressObstacle(key, kind, siblings, mode);
  if (cause === null) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be written: ${cause}`,
    `Parts of this application are written by part ${kind}. Change the part's ${kind} in the application's settings, or leave the part out.`,
  );
}

/**
 * Refuses a part whose value in a record is not its own: the service returns none (interface.md, convention 5), or
 * other parts have the same key.
 * @throws UserError
 */
export function assertReadable(part: Part, siblings: readonly Part[], mode: KeyMode): void {
  const key = partKey(part, mode);
  if (key === '') {
    throw new UserError(
      `Part ${namePart(part)} has no part ${mode}, so the service does not return it`,
      `This application uses part ${mode}s as keys. Give the part one in the application's settings, or do not select it.`,
    );
  }
  if (!duplicateKeys(siblings, mode).includes(key)) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be read: another part has the same ${mode}, "${key}"`,
    `This application uses part ${mode}s as keys. Rename one of the parts in the application's settings.`,
  );
}

function addressObstacle(key: string, kind: string, siblings: readonly Part[], mode: KeyMode): string | null {
  if (key === '') return `it has no part ${kind}`;
  if (duplicateKeys(siblings, mode).includes(key)) return `another part has the same ${kind}, "${key}"`;
  return /\{\{|\}\}/.test(key)
    ? `its ${kind} contains double braces, which the service takes for the end of a key`
    : null;
}
