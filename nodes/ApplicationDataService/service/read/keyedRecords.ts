import { storedKey } from '../../parts/compare';
import type { Part, WriteContext } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import { likeness } from '../../parts/values/likeness';
import { ServiceError } from '../http/errors';

/** The texts of the matching parts, in the order of the parts, as a write would send them. */
export type MatchKey = readonly string[];

/** A record as a list shows it, and what it has in its matching parts. */
export interface KeyedRecord {
  readonly id: string;
  /** `null` if lists carry no revision. */
  readonly revision: number | null;
  readonly key: MatchKey;
  /** Its parts, as far as they were asked for. */
  readonly record: SimplifiedRecord;
}

/** A text for a key, to look it up by. */
export function keyText(key: MatchKey): string {
  const [first = '', ...others] = key;
  return others.length === 0 ? first : JSON.stringify(key);
}

/** The same text for keys that look the same to a person. */
export function keyLikeness(key: MatchKey): string {
  return keyText(key.map(likeness));
}

/**
 * The texts of a record's matching parts, in one form whatever the service's words for a value.
 * @throws ServiceError if it does not show one: it could be the record that is looked for, and be created twice.
 */
export function keyOf(parts: readonly Part[], record: SimplifiedRecord, context: WriteContext): MatchKey {
  const hidden = parts.find((part) => valueOf(record, part, context) === undefined);
  if (hidden === undefined) return storedKey(parts, record, context);
  throw new ServiceError(
    'refused',
    `The record ${record.id} does not show ${namePart(hidden)}, so it is not known which item belongs to it`,
    'Ask for the right to read this part, or match on another one.',
  );
}
