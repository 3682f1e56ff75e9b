import { aboutPart, assertWhole, typeLabel } from './errors';
import { ROW_ID_KEY } from './keys';
import { partsKeyed } from './lookup';
import type { KeyMode, Part, WriteContext, WriteValue } from './part';

/** Why no value of a part may be written (design.md, Output); `null` when it may. */
function writeObstacle(part: Part): string | null {
  if (part.reference) return 'it is a reference part, whose value comes from another record';
  if (part.system) return 'it is a system part, which the service fills in';
  if (part.codec.write === undefined) return `parts of type ${typeLabel(part)} take ${part.codec.accepts}`;
  return part.readOnly ? 'it is read-only' : null;
}

/** Whether values of a part may be written: not read-only, system or reference, and of a type that is written. */
export function isWritable(part: Part): boolean {
  return writeObstacle(part) === null;
}

/** What is sent for a value, whatever the other parts are. @throws UserError when it may not be written */
export function writeAlone(part: Part, value: unknown, context: WriteContext): WriteValue {
  const { codec } = part;
  const reason = writeObstacle(part);
  if (reason !== null || codec.write === undefined)
    throw aboutPart(part, `cannot be written: ${reason}`, 'Leave this part out of the values to write.');
  // Each value of a row is checked as the value of its part.
  if (part.children.length === 0) assertWhole(part, value);
  const written = codec.write(value, part, context);
  if (written.kind === 'text') assertWhole(part, written.text);
  return written;
}

/** Why a request cannot name a part; `null` if it can. @param within the application's parts, or its table part */
export function addressObstacle(part: Part, within: readonly Part[] | Part, mode: KeyMode): string | null {
  const isColumn = 'children' in within;
  const key = part[mode];
  let cause = keyObstacle(part, isColumn ? within.children : within, mode);
  if (/\{\{|\}\}/.test(key))
    cause ??= `its ${mode} contains double braces, which the service takes for the end of a key`;
  if (isColumn && key === ROW_ID_KEY) cause ??= `the service takes its key "${key}" for the row's id`;
  return cause;
}

/** @throws UserError for a part that a request cannot name */
export function assertAddressable(part: Part, within: readonly Part[] | Part, mode: KeyMode): void {
  const cause = addressObstacle(part, within, mode);
  if (cause === null) return;
  throw aboutPart(
    part,
    `cannot be written: ${cause}`,
    `Parts of this application are written by part ${mode}. Change the part's ${mode} in the application's settings, or leave the part out.`,
  );
}

/** Refuses a part whose value in a record is not its own. @param cause why else it cannot be read @throws UserError */
export function assertReadable(
  part: Part,
  siblings: readonly Part[],
  mode: KeyMode,
  cause = keyObstacle(part, siblings, mode),
): void {
  if (cause === null) return;
  throw aboutPart(
    part,
    `cannot be read: ${cause}`,
    `This application uses part ${mode}s as keys. Change the part's ${mode} in the application's settings, or do not select it.`,
  );
}

/** Why a part has no key of its own; `null` if it has one. */
export function keyObstacle(part: Part, siblings: readonly Part[], mode: KeyMode): string | null {
  if (part[mode] === '') return `it has no part ${mode}`;
  const isShared = partsKeyed(siblings, part[mode], mode).length > 1;
  return isShared ? `another part has the same ${mode}, "${part[mode]}"` : null;
}
