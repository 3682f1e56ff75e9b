import type { N8n } from './n8n';

/** A row as n8n returns it: the columns, and when it was created and changed. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly updatedAt: string };

/** A data table of the owner, edited as a person does in n8n. */
export class DataTable {
  readonly #n8n: N8n;
  readonly #path: string;

  private constructor(n8n: N8n, path: string) {
    this.#n8n = n8n;
    this.#path = path;
  }

  /** @throws Error if there is no table of that name. */
  static async find(n8n: N8n, name: string): Promise<DataTable> {
    const { data } = await n8n.get<{ data: { id: string; name: string; projectId: string }[] }>(
      'data-tables-global',
    );
    const table = data.find((each) => each.name === name);
    if (!table) throw new Error(`There is no data table "${name}".`);
    return new DataTable(n8n, `projects/${table.projectId}/data-tables/${table.id}`);
  }

  /** All rows, in order of their ids. Without paging, n8n returns at most 100. */
  async rows(): Promise<Row[]> {
    const { data } = await this.#n8n.get<{ data: Row[] }>(`${this.#path}/rows?take=100`);
    return data.toSorted((a, b) => a.id - b.id);
  }

  async insert(row: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#n8n.post(`${this.#path}/insert`, { data: [row], returnType: 'count' });
  }

  /** Changes the rows that have a value in a column. */
  async change(
    [column, value]: readonly [string, unknown],
    data: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
    await this.#n8n.patch(`${this.#path}/rows`, { filter, data });
  }
}
