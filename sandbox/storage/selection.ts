/** A condition in SQL. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** An order in SQL; records with the same value are in order of their ids. */
export interface SqlOrder {
  readonly expression: string;
  readonly descending: boolean;
}

/** Which records to read. */
export interface Selection {
  /** First and last record id. */
  readonly from: number;
  readonly to: number;
  /** All of them must hold. */
  readonly clauses: readonly Clause[];
}

/** The selection of the records that several selections have in common. */
export function intersect(selections: readonly (Partial<Selection> | undefined)[]): Selection {
  const known = selections.filter((selection) => selection !== undefined);
  return {
    from: Math.max(0, ...known.map(({ from = 0 }) => from)),
    to: Math.min(highestId, ...known.map(({ to = highestId }) => to)),
    clauses: known.flatMap(({ clauses = [] }) => clauses),
  };
}

/** Record ids take 32 bits. */
const highestId = 2 ** 32 - 1;
