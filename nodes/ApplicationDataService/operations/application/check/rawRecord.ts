import { readInteger } from '../../../parts/values/decimal';
import { isObject } from '../../../parts/values/shapes';
import { readItems } from '../../../parts/values/wire';
import type { RawRecord } from '../../../service/read/recordList';

/** The revision of a record; `null` if it carries none. */
export function revisionOf(raw: RawRecord): number | null {
  const { revision } = raw;
  return readInteger(isObject(revision) ? revision.val : revision);
}

/** The items of a container of a part value, such as rows or files. */
export function itemsOf(raw: RawRecord, key: string, container: string): Record<string, unknown>[] {
  const value = raw[key];
  const val = isObject(value) ? value.val : value;
  return readItems(isObject(val) && container in val ? val[container] : val).filter(isObject);
}
