/**
 * Finds the records that meet conditions, in their order: a plain evaluation in memory, independent of the nodes and
 * the sandbox.
 */

/** A record as it is stored, without empty parts. */
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

/** A condition with the meaning of its values. */
export interface ModelCondition {
  readonly part: TicketPart;
  readonly operator: string;
  /** The values as a workflow saves them. */
  readonly written: readonly (string | number)[];
  /** The meaning of the values: numbers for Hours and From, otherwise texts. */
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

/** The positions of the expected records, in order. */
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

/**
 * The keyword is searched in what a list returns (interface.md, "list_data"): the parts of conditions that the node checks are
 * in the list that it checks them on. With "any", the service is asked for each of its own conditions in another one.
 */
function isMeant(record: StoredTicket, { match, conditions, keyword }: ModelQuery): boolean {
  const ofNode = conditions.filter(({ operator }) => !SERVICE_OPERATORS.includes(operator));
  const read = ofNode.map(({ part }) => part).filter((part) => KEYWORD_PARTS.includes(part));
  // The node looks at these as well.
  const both = (each: ModelCondition): readonly TicketPart[] =>
    SETS.includes(each.part) && ['equals', 'contains'].includes(each.operator) ? [each.part] : [];
  const hasKeyword = (more: readonly TicketPart[]): boolean =>
    keyword === undefined || isFound(record, keyword.text, [...keyword.parts, ...more]);
  if (conditions.length === 0 || match === 'all')
    return (
      conditions.every((condition) => isMet(record, condition)) &&
      hasKeyword([...read, ...conditions.flatMap(both)])
    );
  return conditions.some(
    (condition) =>
      isMet(record, condition) && hasKeyword(ofNode.includes(condition) ? read : both(condition)),
  );
}

function isFound(record: StoredTicket, keyword: string, parts: readonly TicketPart[]): boolean {
  const words = keyword.toLowerCase().split(' ');
  const texts = parts.flatMap((part) => valuesOf(record, part)).map((text) => String(text).toLowerCase());
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

/** The values of a part, and the values to compare with. */
interface Operands {
  readonly stored: readonly Value[];
  readonly meant: readonly Value[];
  readonly isSet: boolean;
}

const one =
  (test: (value: Value, sought: Value) => boolean) =>
  ({ stored, meant }: Operands): boolean =>
    stored.some((value) => meant.some((sought) => test(value, sought)));

const same = one((value, sought) => value === sought);

const inText = (test: (text: string, sought: string) => boolean) => (operands: Operands) =>
  operands.isSet ? same(operands) : one((value, sought) => test(String(value), String(sought)))(operands);

const includes = inText((text, sought) => text.includes(sought));

/** The operators that the service has; the node checks all others on what it reads. */
const SERVICE_OPERATORS: readonly string[] = ['equals', 'contains', 'gte', 'isNull'];

/** The parts that the service searches for a keyword. */
export const KEYWORD_PARTS: readonly TicketPart[] = ['Title', 'Text', 'Kind', 'Marks', 'Owner'];

const TESTS: Readonly<Record<string, (operands: Operands) => boolean>> = {
  // The service's operators. It searches texts in any case; where a part holds several values, the node looks, too.
  equals: same,
  contains: (operands) =>
    operands.isSet
      ? same(operands)
      : one((value, sought) => String(value).toLowerCase().includes(String(sought).toLowerCase()))(operands),
  gte: one((value, sought) => value >= sought),
  isNull: ({ stored }) => stored.length === 0,
  // The node's operators.
  notEquals: (operands) => !same(operands),
  oneOf: same,
  gt: one((value, sought) => value > sought),
  lt: one((value, sought) => value < sought),
  lte: one((value, sought) => value <= sought),
  notContains: (operands) => !includes(operands),
  startsWith: inText((text, sought) => text.startsWith(sought)),
  endsWith: inText((text, sought) => text.endsWith(sought)),
  isNotNull: ({ stored }) => stored.length > 0,
};

function isMet(record: StoredTicket, { part, operator, meant, byId = false }: ModelCondition): boolean {
  const stored = valuesOf(record, part, byId);
  return TESTS[operator]!({ stored, meant, isSet: SETS.includes(part) });
}
