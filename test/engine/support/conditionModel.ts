/**
 * Which records of an application meet conditions, in what order: a plain evaluation in memory, written apart from the
 * nodes and from the sandbox.
 */

/** A record as it is stored; what is left out is empty. */
export interface StoredTicket {
  readonly Title?: string;
  readonly Text?: string;
  readonly Kind?: string;
  readonly Marks?: readonly string[];
  readonly Hours?: string;
  readonly Due?: string;
  /** Seconds. */
  readonly From?: number;
  readonly Meeting?: string;
  /** User ids. */
  readonly Owner?: readonly string[];
}

export type TicketPart = keyof StoredTicket;

/** A condition, with what its values mean. */
export interface ModelCondition {
  readonly part: TicketPart;
  readonly operator: string;
  /** As a workflow saves them. */
  readonly written: readonly (string | number)[];
  /** What they stand for: numbers for Hours and From, else texts. */
  readonly meant: readonly (string | number)[];
  readonly byId?: boolean;
}

export interface ModelQuery {
  readonly match: 'all' | 'any';
  readonly conditions: readonly ModelCondition[];
  readonly keyword?: { readonly text: string; readonly parts: readonly TicketPart[] };
  readonly sort?: { readonly part: TicketPart; readonly order: 'asc' | 'desc' };
  readonly limit?: number;
}

const NAMES: Readonly<Record<string, string>> = { '1001': 'Aiko Mori', '1002': 'Ken Tanaka' };

const SETS: readonly TicketPart[] = ['Marks', 'Owner'];

/** Places of the records that are meant, in their order. */
export function expectedPlaces(records: readonly StoredTicket[], query: ModelQuery): number[] {
  const places = records.flatMap((record, place) => (isMeant(record, query) ? [place] : []));
  const { sort, limit } = query;
  if (sort !== undefined) {
    const direction = sort.order === 'asc' ? 1 : -1;
    const value = (place: number): string | number | undefined => valuesOf(records[place]!, sort.part)[0];
    places.sort((one, other) => direction * inOrder(value(one), value(other)) || one - other);
  }
  return places.slice(0, limit);
}

function inOrder(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
  return one < other ? -1 : 1;
}

function isMeant(record: StoredTicket, { match, conditions, keyword }: ModelQuery): boolean {
  const results = conditions.map((condition) => isMet(record, condition));
  if (results.length > 0 && !(match === 'any' ? results.includes(true) : !results.includes(false)))
    return false;
  if (keyword === undefined) return true;
  const words = keyword.text.toLowerCase().split(' ');
  const texts = keyword.parts
    .flatMap((part) => valuesOf(record, part))
    .map((text) => String(text).toLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}

function valuesOf(record: StoredTicket, part: TicketPart, byId = false): (string | number)[] {
  if (part === 'Owner') return (record.Owner ?? []).map((id) => (byId ? id : NAMES[id]!));
  const value = record[part];
  if (value === undefined) return [];
  if (part === 'Hours') return [Number(value)];
  return Array.isArray(value) ? [...(value as string[])] : [value as string | number];
}

type Value = string | number;

/** What a part holds, and what is sought. */
interface Case {
  readonly held: readonly Value[];
  readonly meant: readonly Value[];
  readonly isSet: boolean;
  readonly exact: boolean;
}

const one =
  (test: (value: Value, sought: Value) => boolean) =>
  ({ held, meant }: Case): boolean =>
    held.some((value) => meant.some((sought) => test(value, sought)));

const same = one((value, sought) => value === sought);

const inText = (test: (text: string, sought: string) => boolean) => (given: Case) =>
  given.isSet ? same(given) : one((value, sought) => test(String(value), String(sought)))(given);

const includes = inText((text, sought) => text.includes(sought));

const TESTS: Readonly<Record<string, (given: Case) => boolean>> = {
  // The service's: of several values it compares the set, and it looks for texts in any case.
  equals: (given) =>
    given.isSet
      ? given.held.length === given.meant.length && given.held.every((value) => given.meant.includes(value))
      : same(given),
  contains: (given) =>
    given.exact
      ? same(given)
      : one((value, sought) => String(value).toLowerCase().includes(String(sought).toLowerCase()))(given),
  gte: one((value, sought) => value >= sought),
  isNull: ({ held }) => held.length === 0,
  // The node's.
  notEquals: (given) => !same(given),
  oneOf: same,
  gt: one((value, sought) => value > sought),
  lt: one((value, sought) => value < sought),
  lte: one((value, sought) => value <= sought),
  notContains: (given) => !includes(given),
  startsWith: inText((text, sought) => text.startsWith(sought)),
  endsWith: inText((text, sought) => text.endsWith(sought)),
  isNotNull: ({ held }) => held.length > 0,
};

function isMet(record: StoredTicket, { part, operator, meant, byId = false }: ModelCondition): boolean {
  const held = valuesOf(record, part, byId);
  return TESTS[operator]!({ held, meant, isSet: SETS.includes(part), exact: part === 'Marks' || byId });
}
