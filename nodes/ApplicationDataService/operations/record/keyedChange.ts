import type { ResourceMapperValue } from 'n8n-workflow';

import type { PartChoice } from '../../common/setting';
import { canonicalText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { KeyMode, Part, WriteContext } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { findPart } from '../../parts/model/lookup';
import { shorten } from '../../parts/values/describe';
import type { ApplicationSession } from '../../service/application/session';
import type { MatchKey } from '../../service/read/keyedRecords';
import type { Update } from '../../service/write/update';
import { UserError } from '../../util/userError';
import { mappedValues, withEmptiedParts } from '../input/mapping';
import { type ChangeOptions, readUpdate, writeContext } from '../input/recordWrites';
import type { Item } from '../run/item';

/** What an item wants of the record that its key belongs to: Create or Update, and Sync. */
export interface KeyedChange {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly context: WriteContext;
  /** The matching parts, and the item's texts for them; empty where it has none. */
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** What changes, as an update that overwrites, of a record that is found later. */
  readonly update: Update;
}

/** The options that say how an item with a key is read. */
interface KeyedOptions extends ChangeOptions {
  readonly ignoreUnknown: boolean;
  readonly partKey: 'auto' | KeyMode;
  readonly partsToEmpty: PartChoice;
}

/**
 * Reads an item with a key. Anything that an update would refuse is refused here, before anything is matched or
 * written.
 * @throws UserError without a matching part; for values that cannot be written.
 */
export async function readKeyedChange(
  item: Item,
  options: KeyedOptions,
  more: Partial<WriteContext> = {},
): Promise<KeyedChange> {
  const app = await item.application();
  const context = Object.assign(await writeContext(item, app, options.partKey), more);
  const parts = matchingParts(item, app);
  const mapped = mappedValues(item, app.application.parts, context, options.ignoreUnknown);
  const key = parts.map((part) => matchingText(part, mapped));
  const change = withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, context);
  const update = readUpdate(item, app, { id: '' }, change, context, options);
  return { item, app, context, parts, key, update };
}

/**
 * The parts by which an item's record is found.
 * @throws UserError if none is chosen.
 */
function matchingParts(item: Item, app: ApplicationSession): readonly Part[] {
  return item.run.parameters.derived(['parts'], app, () => {
    const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
    // The editor writes a list of texts; an expression may return one alone, or the ID as a number.
    const columns = [mapping?.matchingColumns ?? []].flat().map(String);
    if (columns.length > 0) return [...new Set(columns.map((text) => findPart(app.application.parts, text)))];
    throw new UserError(
      'Select the part that identifies the record',
      'Select one or more parts to match on, for example a unique customer number.',
    );
  });
}

/**
 * The text of a matching part among an item's values; empty if it has none.
 * @throws UserError for a part that holds no plain value; for a text that it cannot hold.
 */
export function matchingText(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value === undefined || value.kind === 'keep') return '';
  if (value.kind === 'text') {
    assertHeld(part, value.text);
    return canonicalText(part, value.text);
  }
  throw new UserError(
    `Records cannot be found by ${namePart(part)}: it holds ${value.kind === 'files' ? 'files' : 'rows'}`,
    'Match on a part that holds a plain value.',
  );
}

/** A key that is cut when it is stored would never be found, and its record added at every run. */
function assertHeld(part: Part, { length }: string): void {
  const { maxLength = Infinity } = part.codec;
  if (length <= maxLength) return;
  throw new UserError(
    `Records cannot be found by ${namePart(part)} here: the value has ${length} characters, and the part holds ${maxLength}`,
    'Match on a shorter text, for example a number of your own.',
  );
}

/** A key, as messages name it. */
export function nameKey(parts: readonly Part[], key: MatchKey): string {
  return parts.map((part, index) => `${namePart(part)} = "${shorten(key[index] ?? '', 60)}"`).join(' and ');
}
