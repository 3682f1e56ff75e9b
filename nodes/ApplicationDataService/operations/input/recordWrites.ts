import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { KeyMode, Part, WriteContext, WriteValue } from '../../parts/model/part';
import { withoutTriggerKeys } from '../../parts/model/keys';
import type { ApplicationSession } from '../../service/application/session';
import type { Insert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import type { Item } from '../run/item';
import { uploadsOf } from './binaryFiles';
import { assertNoRevisionPart, assertValuesGiven } from './mapping';
import { UserError } from '../../util/userError';
import { namePart } from '../../parts/model/errors';
import type { PartChoice } from '../../common/setting';
import { chosenParts } from '../../parts/choose';
import type { Contents, FormOptions } from '../../service/write/form';

/** An item's values as a record to add. @throws UserError if they cannot be written. */
export function insertOf(
  app: ApplicationSession,
  given: readonly EncodedPart[],
  context: WriteContext,
  options: ChangeOptions,
  contents: Contents,
): Insert {
  assertOffered(given, null, context);
  const values = asNew(given, 'record');
  return { values, context, options: formOptions(app, values, options), contents };
}

/** An item's change as an update; by default, the record is overwritten. @throws UserError if it cannot be written. */
export async function readUpdate(
  item: Item,
  app: ApplicationSession,
  target: Pick<Update, 'id'> & Partial<Update>,
  values: readonly EncodedPart[],
  context: WriteContext,
  options: ChangeOptions,
): Promise<Update> {
  assertNoRevisionPart(values, context);
  // Each field is named: with thousands of items, spreading takes as long as everything else here.
  return {
    id: target.id,
    policy: target.policy ?? 'overwrite',
    revision: target.revision ?? null,
    values,
    context,
    parts: app.application.parts,
    // What an agent passes, or a mapping takes from the item's json, is not what the item was read with.
    known: item.run.byAgent || mapsAutomatically(item) ? {} : withoutTriggerKeys(item.json),
    rowMode: options.tableRowMode ?? 'merge',
    skipUnchanged: options.skipUnchanged ?? false,
    options: formOptions(app, values, options),
    contents: await uploadsOf(item, values),
  };
}

/** Whether the values of a record are taken from the item's json. */
export function mapsAutomatically(item: Item): boolean {
  const mapping = item.value('parts', {}) as { mappingMode?: unknown } | null | undefined;
  return mapping?.mappingMode === 'autoMapInputData';
}

/**
 * The values of a record or row that is yet to be made. Its rows are all new: row ids belong to the record read.
 * @throws UserError if nothing is left to write, or attachments are to be removed.
 */
export function asNew(values: readonly EncodedPart[], what: 'record' | 'row'): readonly EncodedPart[] {
  const fresh = values.flatMap(({ part, value }) =>
    value.kind === 'keep' || value.kind === 'empty' ? [] : [{ part, value: newValue(part, value, what) }],
  );
  assertValuesGiven(fresh);
  return fresh;
}

function newValue(part: Part, value: WriteValue, what: 'record' | 'row'): WriteValue {
  if (value.kind === 'files' && value.remove.length > 0) {
    throw new UserError(
      `Part ${namePart(part)}: a new ${what} has no attachments to remove`,
      'Enter only the binary fields to add.',
    );
  }
  if (value.kind !== 'rows') return value;
  const asNewChild = (child: EncodedPart): EncodedPart => ({
    part: child.part,
    value: newValue(child.part, child.value, what),
  });
  return { kind: 'rows', rows: value.rows.map(({ values }) => ({ values: values.map(asNewChild) })) };
}

/**
 * The context for writing. The key is never guessed: under the wrong one a value would be lost.
 * @param partKey what the option says; absent where no record can be added.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function writeContext(
  item: Item,
  app: ApplicationSession,
  partKey?: 'auto' | KeyMode,
): Promise<WriteContext> {
  const keyMode = partKey === undefined || partKey === 'auto' ? await app.readKeyMode() : partKey;
  if (keyMode !== null) {
    return {
      keyMode,
      timezone: item.timezone,
      ...(item.people && { people: item.people }),
      ...(item.run.byAgent && { emptyIsOmitted: true }),
    };
  }
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    partKey === undefined
      ? 'It has no record that the access key may see, so there is none to change. Check the application and the record ID.'
      : 'It has no record to find out from. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}

export interface ChangeOptions {
  readonly autoAction: boolean;
  readonly relookupKeyParts?: PartChoice;
  readonly tableRowMode?: 'merge' | 'replace';
  readonly skipUnchanged?: boolean;
}

/** @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data"). */
function formOptions(
  app: ApplicationSession,
  values: readonly EncodedPart[],
  { autoAction, relookupKeyParts }: ChangeOptions,
): FormOptions {
  const keyParts = chosenParts(app.application.parts, relookupKeyParts);
  const missing = keyParts.find(
    (part) => !values.some((sent) => sent.part === part && sent.value.kind !== 'keep'),
  );
  if (missing !== undefined) {
    throw new UserError(
      `The lookup key part "${missing.name}" has no value in this item`,
      'The service needs its value to copy values. Map a value to this part, or remove it from the lookup key parts.',
    );
  }
  return { autoAction, relookupKeyParts: keyParts.map((part) => part.id) };
}
