import type { PartChoice } from '../../common/setting';
import { chosenParts } from '../../parts/choose/chosenParts';
import { assertOffered, type EncodedPart, encodeValue, hasUnoffered } from '../../parts/encode';
import type { WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/records';
import { settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';

/** What an item changes in a record or row. */
export interface Change {
  /** With empty values for the parts that the item wants emptied. */
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts that the item wants emptied: an empty value would leave them as they are. */
  readonly emptied: readonly Part[];
}

/**
 * The values of an item, and the parts it wants emptied.
 * @param parts of the application, or of the table part.
 * @throws UserError for a part that has a value, but is also one of the parts to empty.
 */
export function withEmptiedParts(
  values: readonly EncodedPart[],
  parts: readonly Part[],
  partsToEmpty: PartChoice,
  context: WriteContext,
): Change {
  const toEmpty = chosenParts(parts, partsToEmpty).map((part) => {
    if (values.some((value) => value.part === part && !isNoValue(value))) {
      throw new UserError(
        `Part ${namePart(part)} has a value, but is also one of the parts to empty`,
        'Remove it from the parts to empty or from the mapping.',
      );
    }
    return { part, value: encodeValue(part, null, parts, context) };
  });
  if (toEmpty.length === 0) return { values, emptied: [] };
  const others = values.filter(({ part }) => !toEmpty.some((emptied) => emptied.part === part));
  return {
    values: [...others, ...toEmpty.filter(({ value }) => value.kind === 'text')],
    emptied: toEmpty.filter(({ value }) => value.kind !== 'text').map(({ part }) => part),
  };
}

/** Whether a value says nothing, or that the part be empty. */
function isNoValue({ value }: EncodedPart): boolean {
  if (value.kind === 'text') return value.text === '';
  return value.kind === 'keep' || (value.kind === 'rows' && value.rows.length === 0);
}

/** @throws UserError for a part whose key is the revision's own parameter (interface.md, "update_data"). */
export function assertNoRevisionPart({ values, emptied }: Change, { keyMode }: WriteContext): void {
  const written = [
    ...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part),
    ...emptied,
  ];
  const part = written.find((each) => partKey(each, keyMode) === 'revision');
  if (part === undefined) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be changed: the service takes its key "revision" for the revision of the record`,
    "Change the part's name or identifier in the application's settings, or leave the part out.",
  );
}

/**
 * Refuses choices that are no longer offered, before anything is sent, unless the record holds them. It is read only if
 * there are any.
 * @param recordId `null` for a record that is yet to be added.
 * @throws UserError
 */
export async function assertChoicesOffered(
  app: ApplicationSession,
  recordId: string | null,
  values: readonly EncodedPart[],
  context: WriteContext,
): Promise<void> {
  if (!hasUnoffered(values)) return;
  const current =
    recordId === null ? null : await settle(async () => await readCurrent(app, recordId, context));
  assertOffered(values, current !== null && 'value' in current ? current.value.record : null, context);
}
