import fc from 'fast-check';

import {
  KEYWORD_PARTS,
  type ModelCondition,
  type ModelQuery,
  type StoredTicket,
  type TicketPart,
} from './conditionModel';

/** Values as they may be stored, and as a condition may write them: the written form and its meaning. */
interface Pool {
  readonly stored: readonly unknown[];
  readonly sought: readonly (readonly [written: string | number, meant: string | number])[];
  readonly operators: readonly string[];
}

const plain = (...values: string[]): Pool['sought'] => values.map((value) => [value, value]);

const EVERY = ['equals', 'notEquals', 'oneOf', 'isNull', 'isNotNull'];
const TEXTS = [...EVERY, 'contains', 'notContains', 'startsWith', 'endsWith'];
/** These take one value. */
const ORDERS = ['gt', 'gte', 'lt', 'lte'];
const ORDERED = [...EVERY, ...ORDERS];

const POOLS: Readonly<Record<TicketPart, Pool>> = {
  Title: {
    stored: ['Acme', 'acme', 'Beta, 2', 'Ärger', '10', '9', 'a "quoted" one'],
    sought: plain('Acme', 'acme', 'A', 'a', '9', '2', 'Ärger', 'none'),
    operators: TEXTS,
  },
  Text: {
    stored: ['One\nTwo', 'made of Acme steel', 'x'],
    sought: plain('One', 'Two', 'x', 'steel'),
    operators: TEXTS,
  },
  Kind: { stored: ['Bug', 'Wish', 'Question'], sought: plain('Bug', 'Wish'), operators: TEXTS },
  Marks: {
    stored: [['red'], ['red', 'blue'], ['green', 'blue']],
    sought: plain('red', 'blue'),
    operators: TEXTS,
  },
  Hours: {
    stored: ['-3', '1.5', '1.50', '20', '1200', '0', '0.1'],
    sought: [
      ['1.50', 1.5],
      [20, 20],
      ['1,200', 1200],
      ['-3.0', -3],
      [0, 0],
      ['7', 7],
    ],
    operators: ORDERED,
  },
  Due: {
    stored: ['2026-03-01', '2026-04-01', '2025-12-31'],
    sought: [
      ['2026-03-01', '2026-03-01'],
      ['2026-03-01T00:00', '2026-03-01'],
      ['2025-12-31', '2025-12-31'],
    ],
    operators: ORDERED,
  },
  From: {
    stored: [0, 34_200, 86_399],
    sought: [
      ['9:30', 34_200],
      ['09:30:00', 34_200],
      ['0:00', 0],
      [7, 7],
    ],
    operators: ORDERED,
  },
  Meeting: {
    stored: ['2026-03-01T09:30', '2026-03-02T00:00', '2025-01-01T23:59'],
    sought: [
      ['2026-03-01T09:30', '2026-03-01T09:30'],
      ['2026-03-01T15:00:00Z', '2026-03-02T00:00'],
    ],
    operators: ORDERED,
  },
  Owner: {
    stored: [['1001'], ['1002'], ['1001', '1002']],
    sought: plain('Aiko Mori', 'Ken Tanaka'),
    operators: TEXTS,
  },
};

const PARTS = Object.keys(POOLS) as TicketPart[];
const SORTABLE: readonly TicketPart[] = ['Title', 'Kind', 'Hours', 'Due', 'From', 'Meeting'];

/** Records with about half of their parts filled in. */
const record: fc.Arbitrary<StoredTicket> = fc.record(
  Object.fromEntries(PARTS.map((part) => [part, fc.constantFrom(...POOLS[part].stored)])),
  { requiredKeys: [] },
);

const condition: fc.Arbitrary<ModelCondition> = fc.constantFrom(...PARTS).chain((part) => {
  const { sought, operators } = POOLS[part];
  return fc
    .tuple(
      fc.constantFrom(...operators),
      fc.uniqueArray(fc.constantFrom(...sought), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
    )
    .map(([operator, several, byId]) => {
      const values = ORDERS.includes(operator) ? several.slice(0, 1) : several;
      const ids = part === 'Owner' && byId;
      const idOf = (name: string | number): string => (name === 'Aiko Mori' ? '1001' : '1002');
      return {
        part,
        operator,
        written: values.map(([written]) => (ids ? idOf(written) : written)),
        meant: [...new Set(values.map(([, meant]) => (ids ? idOf(meant) : meant)))],
        ...(ids && { byId: true }),
      };
    });
});

export interface Asked {
  readonly operation: 'getAll' | 'count' | 'export';
  readonly query: ModelQuery;
  /** Whether these are the parts that the keyword searches and, in a list, the only ones returned. */
  readonly narrow: boolean;
  readonly raw: boolean;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  operation: fc.constantFrom('getAll', 'getAll', 'count', 'export'),
  narrow: fc.boolean(),
  raw: fc.boolean(),
  query: fc.record(
    {
      match: fc.constantFrom('all', 'any'),
      conditions: fc.array(condition, { maxLength: 4 }),
      keyword: fc.record({
        text: fc.constantFrom('acme', 'be', 'bug', 'ken'),
        parts: fc.constant(KEYWORD_PARTS),
      }),
      sort: fc.record({ part: fc.constantFrom(...SORTABLE), order: fc.constantFrom('asc', 'desc') }),
      limit: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: ['match', 'conditions'] },
  ),
});

const dialect = fc.record(
  {
    numbers: fc.constantFrom('string', 'number', 'separators'),
    dates: fc.constantFrom('text', 'object'),
    ids: fc.constantFrom('string', 'number'),
    singleItem: fc.constantFrom('array', 'object'),
    emptyInner: fc.constantFrom('array', 'emptyString', 'noItem', 'noValue'),
    emptyList: fc.constantFrom('array', 'error', 'emptyString', 'noItem', 'noList'),
    listRevision: fc.constantFrom('always', 'requested', 'never'),
  },
  { requiredKeys: [] },
);

/** The records, the dialect of the service, and the queries. */
export const conditionRuns = fc.record({
  records: fc.array(record, { maxLength: 12 }),
  dialect,
  byIdentifier: fc.boolean(),
  asked: fc.array(asked, { minLength: 1, maxLength: 4 }),
});

export type ConditionRun = typeof conditionRuns extends fc.Arbitrary<infer T> ? T : never;
