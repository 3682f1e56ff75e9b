import type { IDataObject, ResourceMapperValue } from 'n8n-workflow';

import type { WriteContext } from '../../parts/codec';
import { encodeValues, type EncodedPart } from '../../parts/record';
import type { KeyMode, Part } from '../../parts/part';
import { UserInputError } from '../run/errors';
import type { ItemRun } from '../run/itemRun';

/**
 * The part values that an item is to write, checked and ready to send.
 * @throws PartError for values that cannot be written; UserInputError when there are none at all.
 */
export function mappedValues(
  item: ItemRun,
  parts: readonly Part[],
  keyMode: KeyMode,
): readonly EncodedPart[] {
  const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
  const automatic = mapping?.mappingMode === 'autoMapInputData';
  const input = automatic ? item.json : mappedByHand(item, mapping?.value);
  const context: WriteContext = { keyMode, timezone: item.timezone() };
  const { values, passedOver } = encodeValues(input, parts, context, {
    automatic,
    ignoreUnknown: item.options().ignoreUnknown === true,
  });
  if (passedOver.length > 0) {
    item.run.hints.add(
      `Passed over because they cannot be written: ${passedOver.map(({ name }) => name).join(', ')}`,
    );
  }
  const converted = values.filter(({ value }) => value.kind === 'text' && value.converted === true);
  if (converted.length > 0) {
    item.run.hints.add(
      `Converted to the time zone ${context.timezone}: ${converted.map(({ part }) => part.name).join(', ')}`,
    );
  }
  return values;
}

/**
 * The values of a mapping made by hand. The editor saves `null` for a field that was left alone, so a `null` that
 * stands in the workflow itself is no value; one that an expression gives empties the part.
 */
function mappedByHand(item: ItemRun, value: IDataObject | null | undefined): IDataObject {
  if (typeof value !== 'object' || value === null) return {};
  const saved = (item.saved('parts') as { value?: IDataObject | string | null } | undefined)?.value;
  const untouched = (key: string): boolean => typeof saved === 'object' && saved?.[key] === null;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !untouched(key)));
}

/** @throws UserInputError when an item has nothing to write: it would add an empty record. */
export function assertSomethingToWrite(values: readonly EncodedPart[]): void {
  if (values.some(({ value }) => value.kind !== 'keep')) return;
  throw new UserInputError(
    'There is no value to write',
    'Map at least one part. With Map Automatically the keys of the input must be part names, identifiers or IDs.',
  );
}
