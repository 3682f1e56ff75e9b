import { calculatedOf } from '../parts/calculated.ts';
import { filesOf } from '../parts/files.ts';
import type { Part, Stored, StoredRow, Values } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { DataRecord } from '../storage/dataRecord.ts';

/** A stored record as plain JSON: values by part name, without empty parts. */
export interface NaturalRecord {
  readonly id: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly values: Record<string, unknown>;
}

export function naturalRecord(application: Application, record: DataRecord): NaturalRecord {
  const { id, revision, createdAt, createdBy, updatedAt, updatedBy, values } = record;
  const natural = naturalValues(application.parts, values);
  return { id: String(id), revision, createdAt, createdBy, updatedAt, updatedBy, values: natural };
}

function naturalValues(parts: readonly Part[], values: Values): Record<string, unknown> {
  const stored = parts.filter(({ id }) => values[id] !== undefined);
  return Object.fromEntries(stored.map((part) => [part.name, naturalValue(part, values[part.id])]));
}

function naturalValue(part: Part, value: Stored | undefined): unknown {
  switch (part.type) {
    case 'files':
      return filesOf(value).map(({ id, ...file }) => ({ id: String(id), ...file }));
    case 'expression': {
      const { result, hint } = calculatedOf(value);
      return hint === undefined ? result : { hint };
    }
    case 'input_list':
      return (value as StoredRow[]).map((row) => ({
        id: String(row.id),
        ...naturalValues(part.children, row.values),
      }));
    default:
      return value;
  }
}
