import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of the table. Times are milliseconds and medians; ratios are of runs made in turn. */
export interface Row {
  readonly name: string;
  readonly ours: string;
  /** What a user would build today with n8n's own nodes. */
  readonly peer?: string;
  /** undici doing only the necessary requests, and parsing. */
  readonly limit?: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly goal: string;
  /** `null` where there is no goal to meet. */
  readonly met: boolean | null;
}

/** A comparison; the name selects it on the command line. */
export interface Case {
  readonly name: string;
  run(): Promise<Row[]>;
}

/** Prints rows as they come, and keeps all of them for `bench/results.json`. */
export class Table {
  private readonly rows: Row[] = [];

  add(row: Row): void {
    this.rows.push(row);
    const ratios = Object.entries(row.ratios).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    const columns = [
      row.name,
      `ours ${row.ours}`,
      ...(row.peer === undefined ? [] : [`peer ${row.peer}`]),
      ...(row.limit === undefined ? [] : [`limit ${row.limit}`]),
      ...ratios,
      `goal: ${row.goal}`,
      row.met === null ? '' : row.met ? 'met' : 'MISSED',
    ];
    console.log(columns.filter((column) => column !== '').join(' | '));
  }

  save(): void {
    writeFileSync(join(__dirname, '..', 'results.json'), `${JSON.stringify(this.rows, null, 2)}\n`);
    const missed = this.rows.filter(({ met }) => met === false);
    console.log(`${this.rows.length} rows, ${missed.length} missed their goal`);
  }
}
