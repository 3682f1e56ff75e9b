import type { Database } from './database.ts';

export type LabelColor = 'blue' | 'green' | 'yellow' | 'pink' | 'red' | 'gray';

/** An application label (interface.md, "Application label"). */
export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: LabelColor;
  readonly parent: number | null;
}

/** Application labels. */
export class Labels {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  all(): Label[] {
    return this.#database.all<{ id: number; name: string; color: LabelColor; parent: number | null }>(
      'SELECT id, name, color, parent FROM labels ORDER BY id',
    );
  }

  byName(name: string): Label | undefined {
    return this.all().find((label) => label.name === name);
  }

  add(name: string, color: LabelColor, parent: number | null): number {
    return this.#database.run(
      'INSERT INTO labels (name, color, parent) VALUES (?, ?, ?)',
      name,
      color,
      parent,
    ).id;
  }

  clear(): void {
    this.#database.run('DELETE FROM labels');
  }
}
