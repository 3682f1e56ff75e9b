import type { Part } from '../../parts/part.ts';
import type { Clause, Selection, SqlOrder } from '../../storage/selection.ts';
import type { Operator } from './operators.ts';

/*
 * Conditions as SQL, so that a search in an application of a million records does not read all of them. SQL may find
 * more records than it should, never fewer: each record found is tested again.
 */

/** What is known about a record before it is read. */
const columns: Readonly<Record<string, string>> = { createdAt: 'created_at', updatedAt: 'updated_at' };
const ordering: readonly Operator[] = ['=', '>=', '<=', '<', '>'];
const plainTexts = ['textbox', 'textarea', 'richeditor', 'radio', 'select'];
const choices = ['checkbox', 'listbox'];
const moments = ['date', 'datetime', 'time'];

type Operands = readonly (string | number)[];

/** A condition on a part of a record (not of a row) in SQL; undefined if SQL cannot express it. */
export function narrow(part: Part, operator: Operator, operands: Operands): Partial<Selection> | undefined {
  if (operands.length === 0) return undefined;
  if (part.system === 'id') return narrowIds(operator, operands.map(Number));
  const column = columns[part.system ?? ''];
  if (part.system !== undefined && column === undefined) return undefined;
  const clause =
    column === undefined ? valueClause(part, operator, operands) : compare(column, operator, operands);
  return clause && { clauses: [clause] };
}

function narrowIds(operator: Operator, ids: readonly number[]): Partial<Selection> | undefined {
  const [least, most] = [Math.min(...ids), Math.max(...ids)];
  switch (operator) {
    case '=':
      return { from: least, to: most };
    case '>=':
      return { from: least };
    case '>':
      return { from: least + 1 };
    case '<=':
      return { to: most };
    case '<':
      return { to: most - 1 };
    default:
      return undefined;
  }
}

function valueClause(part: Part, operator: Operator, operands: Operands): Clause | undefined {
  if (plainTexts.includes(part.type)) {
    if (operator !== '=') return undefined;
    return oneOf(operands.map((text) => holds(`"${part.id}":${JSON.stringify(text)}`)));
  }
  if (choices.includes(part.type) && (operator === '=' || operator === 'contains')) {
    return oneOf(operands.map((text) => holds(JSON.stringify(text))));
  }
  if (part.type === 'number' || moments.includes(part.type)) {
    return compare(valueSql(part), operator, operands);
  }
  return undefined;
}

function compare(expression: string, operator: Operator, operands: Operands): Clause | undefined {
  if (!ordering.includes(operator)) return undefined;
  return oneOf(operands.map((operand) => ({ sql: `${expression} ${operator} ?`, values: [operand] })));
}

/** The stored record contains the text unchanged, because values are stored as JSON with all quotes escaped. */
function holds(json: string): Clause {
  return { sql: 'instr(content, ?) > 0', values: [json] };
}

function oneOf(clauses: readonly Clause[]): Clause {
  return {
    sql: `(${clauses.map(({ sql }) => sql).join(' OR ')})`,
    values: clauses.flatMap(({ values }) => values),
  };
}

/** The order of a part in SQL; undefined if SQL does not know its values. */
export function sqlOrder(part: Part, descending: boolean): SqlOrder | undefined {
  if (part.source) return undefined;
  if (part.system === 'id') return { expression: 'key', descending };
  const column = columns[part.system ?? ''];
  if (column !== undefined) return { expression: column, descending };
  const sortable = [...plainTexts, ...moments, 'number', 'expression'];
  if (part.system !== undefined || !sortable.includes(part.type)) return undefined;
  return { expression: valueSql(part), descending };
}

function valueSql(part: Part): string {
  const stored = `json_extract(content, '$."${part.id}"')`;
  if (part.type === 'number') return `CAST(${stored} AS REAL)`;
  if (part.type !== 'expression') return stored;
  return `CAST(nullif(json_extract(content, '$."${part.id}".result'), '') AS REAL)`;
}
