/** What `Row` has, and nothing else. */
type Only<R, Row> = R & Readonly<Record<Exclude<keyof R, keyof Row>, never>>;

/**
 * A row of a table for each case, under its name, as `test.each` makes a test for each.
 * @returns a function that takes the name, with `%s` for the first values of a case, and makes the row
 */
export const eachOf =
  <Row extends object>() =>
  <const T>(cases: readonly T[]) =>
  <R extends Row>(name: string, row: (one: T) => Only<R, Row>): Readonly<Record<string, Row>> =>
    named(name, cases, row);

/** @throws if two cases have one name */
export function named<T, R>(name: string, cases: readonly T[], tell: (one: T) => R): Record<string, R> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const nameOf = (one: T): string => {
    const values: unknown[] = [one].flat();
    return name.replace(/%s/g, () => text(values.shift()));
  };
  const rows = Object.fromEntries(cases.map((one) => [nameOf(one), tell(one)]));
  if (Object.keys(rows).length < cases.length) throw new Error(`Two cases have one name: ${name}`);
  return rows;
}
