import type { ResourceMapperValue } from 'n8n-workflow';

import { canonicalText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import { findPart } from '../../parts/model/lookup';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';

/**
 * The parts by which an item's record is found.
 * @throws UserError if none is chosen.
 */
export function matchingParts(item: Item, app: ApplicationSession): readonly Part[] {
  return item.run.parameters.derived(['parts'], app, () => readMatchingParts(item, app));
}

function readMatchingParts(item: Item, app: ApplicationSession): readonly Part[] {
  const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
  // The editor writes a list of texts; an expression may return one alone, or the ID as a number.
  const columns = [mapping?.matchingColumns ?? []].flat().map(String);
  if (columns.length > 0) return [...new Set(columns.map((text) => findPart(app.application.parts, text)))];
  throw new UserError(
    'Select the part that identifies the record',
    'Select one or more parts to match on, for example a unique customer number.',
  );
}

/**
 * The text of a matching part among an item's values; empty if it has none.
 * @throws UserError for a part that holds no plain value.
 */
export function matchingText(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value === undefined || value.kind === 'keep') return '';
  if (value.kind === 'text') return canonicalText(part, value.text);
  throw new UserError(
    `Records cannot be found by ${namePart(part)}: it holds ${value.kind === 'files' ? 'files' : 'rows'}`,
    'Match on a part that holds a plain value.',
  );
}
