import { checked, type Call } from '../../call/call.ts';
import { wrongParameter, type ServiceError } from '../../call/refusals.ts';
import type { Dialect } from '../../settings/switches.ts';
import { kindOf } from '../../parts/kinds.ts';
import type { PartKind } from '../../parts/kind.ts';
import type { Part, StoredRow } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Selection } from '../../storage/selection.ts';
import type { Workbench } from '../workbench.ts';
import { findPart, tableOf } from '../read/keys.ts';
import { narrow } from './narrowing.ts';
import { isOperator, nullTests, operators, type Operator } from './operators.ts';
import type { Resolver } from '../read/resolver.ts';

/** A condition: the test for a record, and as much of the test as SQL can do. */
export interface RecordTest {
  readonly passes: (record: DataRecord) => boolean;
  readonly selection?: Partial<Selection> | undefined;
  /** The selection finds these records and no others. */
  readonly isExact?: boolean;
}

interface Condition {
  readonly part: Part;
  readonly operator: Operator;
  /** Several values are joined by tabs. */
  readonly value: string;
  /** `type: id`: the value contains ids instead of names. */
  readonly byId: boolean;
}

/**
 * Reads the parameter `filter`: conditions that must all hold.
 * @throws {@link ServiceError} naming what is wrong with it
 */
export function readConditions(
  call: Call,
  workbench: Workbench,
  application: Application,
  resolver: Resolver,
): RecordTest[] {
  const filter = call.parameters.json('filter');
  if (filter === undefined) return [];
  const items = isObject(filter) ? filter.item : undefined;
  if (!Array.isArray(items)) throw invalid('is an object with a list of conditions as item');
  return items
    .map((item) => readCondition(item, application))
    .flatMap((condition) => testOf(condition, workbench, application, resolver) ?? []);
}

function readCondition(item: unknown, application: Application): Condition {
  if (!isObject(item)) throw invalid('has a condition that is no object');
  const id = textOf(item.field_id);
  const part = /^\d+$/.test(id) ? findPart(application, Number(id)) : undefined;
  if (!part) throw wrongParameter('filter', `names no part: field_id "${id}"`, 'unknownPart');
  const operator = textOf(item.operator);
  if (!isOperator(operator)) throw invalid(`has the unknown operator "${operator}"`, part);
  if (item.type !== undefined && item.type !== 'id') throw invalid('has a type that is not id', part);
  const { value } = item;
  const given = typeof value === 'string' || typeof value === 'number';
  if (!given && !nullTests.includes(operator)) throw invalid('has a condition without a value', part);
  return { part, operator, value: given ? String(value) : '', byId: item.type === 'id' };
}

function testOf(
  { part, operator, value, byId }: Condition,
  { storage, dialect }: Workbench,
  application: Application,
  resolver: Resolver,
): RecordTest | undefined {
  const source = resolver.sourcePart(part);
  if (typeof source === 'string' || !kindOf(source).traits.filterable) {
    throw invalid('names a part that cannot be filtered on', part);
  }
  if (resolver.access(application).part(part) === 'none') {
    throw invalid('names a part you may not read', part);
  }
  const kind = kindOf(source);
  const operands = operandsOf(kind, operator, value);
  const quirk = operator === '=' ? quirkOf(dialect, source.type) : undefined;
  if (quirk === 'refused') throw invalid(`uses ${operator} on a part that does not know it`, part);
  if (quirk === 'ignored') return undefined;
  if (quirk === 'misses') return { passes: () => false };

  const matches = (record: DataRecord, row?: StoredRow) => {
    const resolved = resolver.resolve(application, part, row ? { record, row } : { record });
    const keys = resolved.error ? [] : resolved.kind.keys(resolved.value, storage.people, byId);
    const texts =
      byId || resolved.error ? keys.map(String) : resolved.kind.texts(resolved.value, storage.people);
    return operators[operator]({
      keys,
      texts,
      operands,
      set: kind.traits.set,
      exact: byId || isChoice(source),
    });
  };
  const table = tableOf(application, part);
  if (table) {
    const rowsOf = (record: DataRecord) => (record.values[table.id] ?? []) as StoredRow[];
    return { passes: (record) => rowsOf(record).some((row) => matches(record, row)) };
  }
  const selection = part.source ? undefined : narrow(part, operator, operands);
  const isExact = part.system === 'id' && operator === '>=' && selection !== undefined;
  return { passes: (record) => matches(record), selection, isExact };
}

function operandsOf(kind: PartKind, operator: Operator, value: string): readonly (string | number)[] {
  if (nullTests.includes(operator)) return [];
  const texts = value.split('\t').filter((text) => text !== '');
  if (operator === 'contains' || operator === 'not_contains') return texts;
  return texts.map((text) => checked('filter', () => kind.operand(text)));
}

/** Whether conditions compare the part's choices as a whole. In names of people, they search. */
function isChoice(part: Part): boolean {
  return part.type === 'checkbox' || part.type === 'listbox';
}

/** How `=` on this type does not work, if so. */
function quirkOf({ equals }: Dialect, type: string): string | undefined {
  const [how, types = ''] = equals.split(':');
  return types.split(',').some((each) => each === type || each === '*') ? how : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function invalid(what: string, part?: Part): ServiceError {
  return wrongParameter('filter', `${what}`, 'invalidParameter', part?.name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
