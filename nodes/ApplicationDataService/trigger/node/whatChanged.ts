import type { IDataObject } from 'n8n-workflow';

import { outputKey, partKey, triggerKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { parseJson, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import type { Watch } from '../source/watch';
import { isChanged } from '../source/watchedValues';

/**
 * What changed of the watched parts: from what to what, by part key (parameters.md, previousValues). If nothing was kept,
 * all of them, without `from`. A part that is in error now is left out.
 * @param before JSON of the last known values, one per part, empty if unknown.
 * @param after the same for the current values.
 */
export function changesOf(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  watch: Watch,
): IDataObject {
  const changes: IDataObject = {};
  for (const [index, part] of watch.watched.entries()) {
    const [from, to] = [before?.[index] ?? '', after?.[index] ?? ''];
    if (to === '' || (from !== '' && !isChanged(part, from, to, watch.keyMode))) continue;
    const change = from === '' ? { to: valueOf(to) } : { from: valueOf(from), to: valueOf(to) };
    setOwn(changes, keyOf(part, watch), change);
  }
  return changes;
}

/** The values of a deleted record, as far as they were kept; `null` if none was. */
export function previousOf(before: readonly string[] | undefined, watch: Watch): IDataObject | null {
  if (before === undefined) return null;
  const previous: IDataObject = {};
  for (const [index, part] of watch.watched.entries())
    if (before[index]) setOwn(previous, keyOf(part, watch), valueOf(before[index]));
  return previous;
}

function keyOf(part: Part, { keyMode }: Watch): string {
  return triggerKey(outputKey(partKey(part, keyMode)));
}

function valueOf(json: string): SimplifiedValue {
  return parseJson(json) as SimplifiedValue;
}
