import type { Calculated, Part, StoredRow, Values } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { User } from '../../storage/people.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Workbench } from '../workbench.ts';
import { calculate, CalculationError, type Lookup } from './formula.ts';

/** Calculates the auto calculation parts of a record, those in rows first, and puts the results into its values. */
export function calculateParts(
  workbench: Workbench,
  user: User,
  application: Application,
  record: DataRecord,
): void {
  const resolver = workbench.resolver(user);
  const { people } = workbench.storage;
  const { values } = record;
  const textsOf = (part: Part, row?: StoredRow): readonly string[] => {
    const { value, kind } = resolver.resolve(application, part, row ? { record, row } : { record });
    return kind.texts(value, people);
  };
  const rowsOf = (table: Part) => (values[table.id] ?? []) as StoredRow[];

  /** {Part} is first searched for in the row. {Table.Child} returns one text for each row. */
  const lookupIn =
    (table?: Part, row?: StoredRow): Lookup =>
    (reference) => {
      const child = table?.children.find(({ name }) => name === reference);
      if (child && row) return textsOf(child, row);
      const part = application.parts.find(({ name }) => name === reference);
      if (part) return textsOf(part);
      for (const owner of application.parts.filter(({ type }) => type === 'input_list')) {
        const inner = owner.children.find(({ name }) => `${owner.name}.${name}` === reference);
        if (inner) return rowsOf(owner).map((one) => textsOf(inner, one)[0] ?? '');
      }
      throw new CalculationError(`There is no part ${reference}`);
    };

  for (const table of application.parts.filter(({ type }) => type === 'input_list')) {
    const formulas = table.children.filter(({ formula }) => formula !== undefined);
    if (formulas.length === 0 || !values[table.id]) continue;
    values[table.id] = rowsOf(table).map((row) => {
      const changed: Values = { ...row.values };
      for (const part of formulas) {
        changed[part.id] = resultOf(part, lookupIn(table, { ...row, values: changed }));
      }
      return { ...row, values: changed };
    });
  }
  for (const part of application.parts) {
    if (part.formula !== undefined) values[part.id] = resultOf(part, lookupIn());
  }
}

function resultOf(part: Part, lookup: Lookup): Calculated {
  try {
    return { result: calculate(part.formula ?? '', lookup) };
  } catch (error) {
    if (error instanceof CalculationError) return { result: '', hint: error.message };
    throw error;
  }
}
