import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** The figures of the last run of each case, for the charts; committed. */
const RESULTS = join(__dirname, '..', 'results.json');

/** The figures of a row that a chart shows. */
interface Figures {
  /** E.g. `ms` or `requests`. */
  readonly unit: string;
  readonly ours: number;
  readonly peer?: number;
  readonly limit?: number;
}

/** How a cost grows, as a line in a chart. */
export interface Growth {
  /** What grows. Each has a separate chart. */
  readonly by: 'items' | 'records' | 'executions';
  readonly series: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** One line of the table. Times are in milliseconds; ratios are of runs made in turn. */
export interface Row {
  readonly name: string;
  readonly ours: string;
  /** What a user would build today with n8n's own nodes. */
  readonly peer?: string;
  /** undici with only the necessary requests, and parsing. */
  readonly limit?: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly goal: string;
  /** `null` if there is no goal to meet. */
  readonly met: boolean | null;
  readonly figures?: Figures;
  readonly growth?: Growth;
}

/** A comparison; the name selects it on the command line. */
export interface Case {
  readonly name: string;
  run(): Promise<Row[]>;
}

/** The rows of a case, and when they were measured. */
interface Measured {
  readonly on: string;
  readonly machine: string;
  readonly rows: readonly Row[];
}

/** By case. */
export type Results = Readonly<Record<string, Measured>>;

/** The figures of the last run of each case. */
export function readResults(): Results {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {};
}

/** Replaces the saved rows of a case; the other cases stay. */
export function saveResults(name: string, rows: readonly Row[]): void {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, Node.js ${process.versions.node}`;
  const measured: Measured = { on: new Date().toISOString().slice(0, 10), machine, rows };
  writeFileSync(RESULTS, `${JSON.stringify({ ...readResults(), [name]: measured }, null, 2)}\n`);
}

/** Prints rows as they come, and summarizes them. */
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
      row.goal === '' ? '' : `goal: ${row.goal}`,
      row.met === null ? '' : row.met ? 'met' : 'MISSED',
    ];
    console.log(columns.filter((column) => column !== '').join(' | '));
  }

  sumUp(): void {
    const missed = this.rows.filter(({ met }) => met === false);
    console.log(`${this.rows.length} rows, ${missed.length} missed their goal`);
  }
}
