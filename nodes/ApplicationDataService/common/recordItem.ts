import type { IDataObject } from 'n8n-workflow';

import { triggerKey } from '../parts/model/keys';
import { setOwn } from '../parts/values/shapes';

/** The nodes' own keys before the parts, and behind them: parameters.md, "Order of keys". */
const FIRST = ['event', 'id', 'outcome'];
const LAST = ['changes', 'previous', 'partErrors', 'revision', 'previousRevision', 'canWrite', 'canDelete'];

/** The key after which no part values follow in a simplified record. */
const AFTER_PARTS: ReadonlySet<string> = new Set(['partErrors', 'revision']);

/**
 * A record with the keys that a node adds: each in its place, those without a place at the end.
 * @param record simplified, as `recordPresenter` makes it
 * @param own keys of the node; one that the record has too takes its place
 */
export function recordItem(record: IDataObject, own: IDataObject): IDataObject {
  return arranged(record, own, (key) => key);
}

/** The same for a trigger: a part whose key the triggers use for themselves is given as `<key> (part)`. */
export function triggerItem(record: IDataObject, own: IDataObject): IDataObject {
  return arranged(record, own, triggerKey);
}

function arranged(record: IDataObject, own: IDataObject, keyOf: (key: string) => string): IDataObject {
  const keys = Object.keys(record);
  const end = [...keys, 'revision'].findIndex((key) => AFTER_PARTS.has(key));
  const values = keys.slice(0, end).filter((key) => key !== 'id');
  const others = keys.slice(end).filter((key) => !LAST.includes(key));
  const item: IDataObject = {};
  const place = (key: string): void => {
    if (Object.hasOwn(own, key)) item[key] = own[key];
    else if (key !== 'previous' && Object.hasOwn(record, key)) item[key] = record[key];
  };
  FIRST.forEach(place);
  for (const key of values) setOwn(item, keyOf(key), record[key]);
  LAST.forEach(place);
  for (const key of Object.keys(own)) item[key] = own[key];
  for (const key of others) setOwn(item, keyOf(key), record[key]);
  return item;
}
