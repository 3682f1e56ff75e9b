import type { IDataObject } from 'n8n-workflow';

import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { WriteContext } from '../../parts/model/codec';
import { withoutTriggerKeys } from '../../parts/model/keys';
import type { KeyMode } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import type { ConflictPolicy } from '../../service/write/conflict';
import type { Insert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import type { Item } from '../run/item';
import { itemFiles } from './binaryFiles';
import { assertNoRevisionPart, type Change } from './change';
import { asNew } from './newRecord';
import { formOptions, type SentOptions } from './writeContext';

/**
 * An item's values as a record to add.
 * @throws UserError if they cannot be written.
 */
export function readInsert(
  item: Item,
  app: ApplicationSession,
  given: readonly EncodedPart[],
  context: WriteContext,
  options: SentOptions,
): Insert {
  assertOffered(given, null, context);
  const values = asNew(item, given, 'record');
  return {
    values,
    context,
    options: formOptions(app, values, options),
    uploadSource: itemFiles(item, values),
  };
}

/** The options that say how a record is changed. */
interface ChangeOptions extends SentOptions {
  readonly tableRowMode: 'merge' | 'replace';
  readonly skipUnchanged: boolean;
}

/** Which record is changed, and what happens if somebody else changed it. */
interface UpdateTarget {
  readonly id: string;
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
}

/**
 * An item's change as an update.
 * @throws UserError if it cannot be written.
 */
export function readUpdate(
  item: Item,
  app: ApplicationSession,
  target: UpdateTarget,
  change: Change,
  context: WriteContext,
  options: ChangeOptions,
): Update {
  assertNoRevisionPart(change, context);
  // Each field is named: with thousands of items, spreading three objects into one takes as long as everything else
  // here.
  return {
    id: target.id,
    policy: target.policy,
    revision: target.revision,
    values: change.values,
    emptied: change.emptied,
    context,
    parts: app.application.parts,
    known: knownOf(item),
    rowMode: options.tableRowMode,
    skipUnchanged: options.skipUnchanged,
    options: formOptions(app, change.values, options),
    uploadSource: itemFiles(item, change.values),
  };
}

/**
 * The values that the item was read with. Values that an agent passes under a part's name, or that a mapping takes from
 * the item's json, are the new values instead.
 */
function knownOf(item: Item): IDataObject {
  const mapping = item.value('parts') as { mappingMode?: unknown } | null | undefined;
  return item.run.byAgent || mapping?.mappingMode === 'autoMapInputData' ? {} : withoutTriggerKeys(item.json);
}

/** Distinguishes the calls of an agent. */
export function askedOf({ values, context }: { values: readonly EncodedPart[]; context: WriteContext }): {
  readonly keyMode: KeyMode;
  readonly values: readonly unknown[];
} {
  return { keyMode: context.keyMode, values: values.map(({ part, value }) => [part.id, value]) };
}
