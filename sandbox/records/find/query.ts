import type { Call } from '../../call/call.ts';
import { wrongParameter } from '../../call/refusals.ts';
import { kindOf } from '../../parts/kinds.ts';
import type { Part } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import { intersect, type Selection, type SqlOrder } from '../../storage/selection.ts';
import type { Workbench } from '../workbench.ts';
import { readConditions, type RecordTest } from './conditions.ts';
import { findPart } from '../read/keys.ts';
import { sqlOrder } from './narrowing.ts';
import type { Resolver } from '../read/resolver.ts';

/** What selects and orders the records of a list (interface.md, "list_data"). */
export interface Query {
  /** Undefined if every record passes. */
  readonly passes: ((record: DataRecord) => boolean) | undefined;
  /** As much of the query as SQL can do. It may find more records. */
  readonly selection: Selection;
  /** The id from which on every record passes, if the query has no other condition. */
  readonly from: number | undefined;
  /** Undefined if records come in order of their ids. */
  readonly order: Order | undefined;
}

/** How records are ordered: by SQL if it knows the values, otherwise by a key. */
export interface Order {
  readonly sql: SqlOrder | undefined;
  readonly key: (record: DataRecord) => SortKey;
  readonly descending: boolean;
}

type SortKey = string | number | undefined;

/**
 * Reads `filter`, `keyword`, `sort_field_id` and `sort_order` of a call.
 * @param chosen the parts named in `fields`, if it was sent
 */
export function readQuery(
  call: Call,
  workbench: Workbench,
  application: Application,
  chosen: readonly Part[] | undefined,
): Query {
  const resolver = workbench.resolver(call.user);
  const tests: RecordTest[] = [
    ...readConditions(call, workbench, application, resolver),
    ...keywordTests(call, workbench, application, resolver, chosen),
  ];
  const access = resolver.access(application);
  if (!access.uniform) tests.push({ passes: (record) => access.reads(record) });
  const selection = intersect(tests.map((test) => test.selection));
  return {
    passes: tests.length === 0 ? undefined : (record) => tests.every(({ passes }) => passes(record)),
    selection,
    from: tests.every(({ isExact }) => isExact === true) ? selection.from : undefined,
    order: readOrder(call, workbench, application, resolver),
  };
}

function keywordTests(
  call: Call,
  { storage }: Workbench,
  application: Application,
  resolver: Resolver,
  chosen: readonly Part[] | undefined,
): RecordTest[] {
  const words = (call.parameters.get('keyword') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const access = resolver.access(application);
  const targets = keywordTargets(application, chosen).filter((part) => access.part(part) !== 'none');
  const { people } = storage;
  const test = {
    passes: (record: DataRecord) => {
      const texts = targets.flatMap((part) => {
        const { value, kind, error } = resolver.resolve(application, part, { record });
        return error || !kind.traits.searchable ? [] : kind.texts(value, people);
      });
      const lower = texts.map((text) => text.toLowerCase());
      return words.every((word) => lower.some((text) => text.includes(word)));
    },
  };
  return [test];
}

/** The application's own targets; otherwise the parts in `fields`; otherwise all. */
function keywordTargets(application: Application, chosen: readonly Part[] | undefined): readonly Part[] {
  if (application.keywordParts.length > 0) {
    return application.keywordParts
      .map((id) => findPart(application, id))
      .filter((part) => part !== undefined);
  }
  return chosen ?? application.parts;
}

function readOrder(
  call: Call,
  { storage }: Workbench,
  application: Application,
  resolver: Resolver,
): Query['order'] {
  const descending = call.parameters.oneOf('sort_order', ['asc', 'desc'], 'asc') === 'desc';
  const id = call.parameters.get('sort_field_id');
  if (id === undefined || id === '') return undefined;
  const part = application.parts.find((one) => String(one.id) === id);
  if (!part) throw wrongParameter('sort_field_id', `names no part: "${id}"`, 'unknownPart');
  const source = resolver.sourcePart(part);
  if (typeof source === 'string' || !kindOf(source).traits.sortable) {
    throw wrongParameter(
      'sort_field_id',
      `names a part that cannot be sorted by: "${id}"`,
      'invalidParameter',
      part.name,
    );
  }
  if (resolver.access(application).part(part) === 'none') {
    throw wrongParameter('sort_field_id', `names a part you may not read: "${id}"`, 'unknownPart', part.name);
  }
  if (part.system === 'id' && !descending) return undefined;
  return {
    descending,
    sql: sqlOrder(part, descending),
    key: (record) => {
      const { value, kind } = resolver.resolve(application, part, { record });
      const keys = kind.keys(value, storage.people, false);
      return keys.length > 1 ? keys.join('\t') : keys[0];
    },
  };
}

/** Sorts empty values first, then numbers, then texts; records with the same value in order of their ids. */
export function compareKeys(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  if (one === undefined) return -1;
  if (other === undefined) return 1;
  if (typeof one === typeof other) return one < other ? -1 : 1;
  return typeof one === 'number' ? -1 : 1;
}
