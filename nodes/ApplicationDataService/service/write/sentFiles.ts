import type { IDataObject } from 'n8n-workflow';

import type { WriteContext, WriteValue } from '../../parts/model/codec';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../read/current';
import { changesFiles } from './filePlaces';
import type { EncodedPart } from '../../parts/encode';

/** What a write sent of attachments, and what was there before: plain JSON, by which a later try verifies it. */
export interface SentFiles {
  readonly values: readonly PackedPart[];
  /** By the parts' keys. */
  readonly before: IDataObject;
  /** Whether the service answered that it had done it. */
  readonly isAnswered: boolean;
}

interface PackedPart {
  readonly part: string;
  readonly value: Exclude<WriteValue, { kind: 'rows' }> | { kind: 'rows'; rows: readonly PackedRow[] };
}

interface PackedRow {
  readonly id?: string;
  readonly values: readonly PackedPart[];
}

/** What a write sends of attachments; `undefined` if it changes none. */
export function sentFiles(
  values: readonly EncodedPart[],
  before: SimplifiedRecord,
  context: WriteContext,
  isAnswered: boolean,
): (SentFiles & IDataObject) | undefined {
  const changing = values.filter((each) => changesFiles([each]));
  if (changing.length === 0) return undefined;
  const there = changing.map(({ part }) => [
    outputKey(partKey(part, context.keyMode)),
    valueOf(before, part, context) ?? null,
  ]);
  const held = Object.fromEntries(there) as IDataObject;
  const sent: SentFiles = { values: changing.map(pack), before: held, isAnswered };
  return sent as SentFiles & IDataObject;
}

function pack({ part, value }: EncodedPart): PackedPart {
  if (value.kind !== 'rows') return { part: part.id, value };
  return {
    part: part.id,
    value: {
      kind: 'rows',
      rows: value.rows.map((row) => ({ ...row, values: row.values.map(pack) })),
    },
  };
}

/** The values that were sent. A part that the application no longer has is left out: it holds no files. */
export function unpackValues(packed: readonly PackedPart[], parts: readonly Part[]): EncodedPart[] {
  return packed.flatMap(({ part: id, value }): EncodedPart[] => {
    const part = parts.find((each) => each.id === id);
    if (part === undefined) return [];
    if (value.kind !== 'rows') return [{ part, value }];
    const rows = value.rows.map((row) => ({ ...row, values: unpackValues(row.values, part.children) }));
    return [{ part, value: { kind: 'rows', rows } }];
  });
}
