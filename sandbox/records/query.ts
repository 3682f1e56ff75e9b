import type { Call } from '../call.ts';
import { ServiceError } from '../errors.ts';
import { kindOf } from '../parts/kinds.ts';
import type { Part } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { DataRecord } from '../storage/records.ts';
import type { Workbench } from '../workbench.ts';
import { readConditions } from './conditions.ts';
import { findPart } from './keys.ts';
import type { Resolver } from './resolver.ts';

/** What narrows and orders a list of records (interface.md, "list_data"). */
export interface Query {
  /** Absent when every record passes. */
  readonly passes: ((record: DataRecord) => boolean) | undefined;
  /** Absent when records come in order of their ids. */
  readonly order: { readonly key: (record: DataRecord) => SortKey; readonly descending: boolean } | undefined;
  /** The caller's rights are the same for every record. */
  readonly uniform: boolean;
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
  const tests = [
    ...readConditions(call, workbench, application, resolver),
    ...keywordTests(call, workbench, application, resolver, chosen),
  ];
  const access = resolver.access(application);
  if (!access.uniform) tests.push((record) => access.reads(record));
  return {
    passes: tests.length === 0 ? undefined : (record) => tests.every((test) => test(record)),
    order: readOrder(call, workbench, application, resolver),
    uniform: access.uniform,
  };
}

function keywordTests(
  call: Call,
  { storage }: Workbench,
  application: Application,
  resolver: Resolver,
  chosen: readonly Part[] | undefined,
): ((record: DataRecord) => boolean)[] {
  const words = (call.parameters.get('keyword') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const access = resolver.access(application);
  const targets = keywordTargets(application, chosen).filter((part) => access.part(part) !== 'none');
  return [
    (record) => {
      const texts = targets.flatMap((part) => {
        const { value, kind, error } = resolver.resolve(application, part, { record });
        return error || !kind.traits.searchable ? [] : kind.texts(value, storage.people);
      });
      const lower = texts.map((text) => text.toLowerCase());
      return words.every((word) => lower.some((text) => text.includes(word)));
    },
  ];
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
  if (!part) throw new ServiceError('unknownPart', `The parameter sort_field_id names no part: "${id}"`);
  const source = resolver.sourcePart(part);
  if (typeof source === 'string' || !kindOf(source).traits.sortable) {
    throw new ServiceError(
      'invalidParameter',
      `The parameter sort_field_id names a part that cannot be sorted by: "${id}"`,
      part.name,
    );
  }
  if (resolver.access(application).part(part) === 'none') {
    throw new ServiceError(
      'unknownPart',
      `The parameter sort_field_id names a part you may not read: "${id}"`,
      part.name,
    );
  }
  if (part.system === 'id') {
    return descending ? { key: (record) => record.id, descending } : undefined;
  }
  return {
    descending,
    key: (record) => {
      const { value, kind } = resolver.resolve(application, part, { record });
      const keys = kind.keys(value, storage.people, false);
      return keys.length > 1 ? keys.join('\t') : keys[0];
    },
  };
}

/** Puts empty values first, then numbers, then texts; records of the same value in order of their ids. */
export function compareKeys(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  if (one === undefined) return -1;
  if (other === undefined) return 1;
  if (typeof one === typeof other) return one < other ? -1 : 1;
  return typeof one === 'number' ? -1 : 1;
}
