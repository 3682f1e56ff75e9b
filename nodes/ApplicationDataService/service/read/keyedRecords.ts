import type { IDataObject } from 'n8n-workflow';

import { storedKey } from '../../parts/compare';
import type { WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/types/id';
import type { Part } from '../../parts/model/part';
import { recordReader } from '../../parts/record';
import { likeness } from '../../parts/values/likeness';
import { ServiceError } from '../http/errors';
import type { RawRecord } from './recordList';

/** The texts of the matching parts, in the order of the parts, as a write would send them. */
export type MatchKey = readonly string[];

/** A record that holds a key. */
export interface Match {
  readonly id: string;
  /** `null` if lists carry no revision. */
  readonly revision: number | null;
}

/** A record, and what it has in its matching parts. */
export interface KeyedRecord extends Match {
  readonly key: MatchKey;
}

/** A text for a key, to look it up by. */
export function keyText(key: MatchKey): string {
  const [first = '', ...others] = key;
  return others.length === 0 ? first : JSON.stringify(key);
}

/** The same text for keys that look the same to a person. */
function keyLikeness(key: MatchKey): string {
  return keyText(key.map(likeness));
}

/** Of records that are read anyway, those whose keys look like one that is looked for. */
export class NearKeys {
  /** By likeness: a key that is looked for, and the first record that was seen with one like it. */
  private readonly sought = new Map<string, { readonly key: MatchKey; record: SeenKey | null }>();

  constructor(keys: readonly MatchKey[]) {
    for (const key of keys) this.sought.set(keyLikeness(key), { key, record: null });
  }

  see(id: string, key: MatchKey): void {
    const like = this.sought.get(keyLikeness(key));
    if (like !== undefined) like.record ??= { id, key };
  }

  /** The first record with a key like this, which no record has. */
  of(key: MatchKey): SeenKey | null {
    return this.sought.get(keyLikeness(key))?.record ?? null;
  }

  /** The key that is looked for and looks like that of a record. */
  soughtLike(key: MatchKey): MatchKey | undefined {
    return this.sought.get(keyLikeness(key))?.key;
  }
}

type SeenKey = Pick<KeyedRecord, 'id' | 'key'>;

/**
 * Reads what records have in their matching parts, in one form whatever the service's words for a value.
 * @throws UserError when the application's lists carry no record ids.
 */
export class KeyReader {
  private readonly simplify: ReturnType<typeof recordReader>;

  constructor(
    readonly parts: readonly Part[],
    readonly context: WriteContext,
    all: readonly Part[],
    private readonly near?: NearKeys,
  ) {
    const idPart = listedIdPart(all, context.keyMode);
    this.simplify = recordReader([...new Set([idPart, ...parts])], { keyMode: context.keyMode });
  }

  /** @throws ServiceError if the service hides a matching part. */
  read(records: readonly RawRecord[]): KeyedRecord[] {
    return records.flatMap((record) => {
      const simplified = this.simplify(record);
      const { id, revision } = simplified;
      this.assertShown(simplified.partErrors);
      if (id === null) return [];
      const key = storedKey(this.parts, simplified, this.context);
      this.near?.see(id, key);
      return [{ id, revision, key }];
    });
  }

  /** A record with a hidden key could be the one that is looked for, and would be created a second time. */
  private assertShown(errors: IDataObject = {}): void {
    const part = this.parts.find((each) => Object.hasOwn(errors, partKey(each, this.context.keyMode)));
    if (part === undefined) return;
    throw new ServiceError(
      'refused',
      `Records cannot be found by ${namePart(part)}: the service does not show it for all of them`,
      'Ask for the right to read this part, or match on another one.',
    );
  }
}
