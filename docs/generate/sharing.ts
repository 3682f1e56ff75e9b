import { table } from './markdown';

/** What a reader looks up: rows of a table, with its title in the first cell. */
export interface Entry {
  /** Its name in links, in the words of the sources: `parameter-options.dryRun`. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** The entries that several sections of a page have in common. They are told once; the sections link to them. */
export class Shared {
  private readonly entries = new Map<string, Entry & { readonly anchor: string }>();

  constructor(
    readonly headings: readonly string[],
    lists: readonly (readonly Entry[])[],
  ) {
    const all = lists.flat();
    for (const entry of all) {
      const text = textOf(entry);
      if (this.entries.has(text) || all.filter((each) => textOf(each) === text).length === 1) continue;
      const same = [...this.entries.values()].filter(({ name }) => name === entry.name).length;
      this.entries.set(text, { ...entry, anchor: `${anchorOf(entry.name)}${same === 0 ? '' : `-${same}`}` });
    }
  }

  /** The rows that tell the entries, each with an anchor. */
  get rows(): readonly (readonly string[])[] {
    return [...this.entries.values()].flatMap(({ anchor, rows }) =>
      rows.map((row, index) => (index > 0 ? row : [`<a id="${anchor}"></a>${row[0]}`, ...row.slice(1)])),
    );
  }

  /** The entries of a section: its own in a table, the others as links. */
  list(entries: readonly Entry[], lead: string): string {
    const links = entries.flatMap((entry) => {
      const anchor = this.entries.get(textOf(entry))?.anchor;
      return anchor === undefined ? [] : [`[${entry.rows[0]?.[0]}](#${anchor})`];
    });
    const own = entries.filter((entry) => !this.entries.has(textOf(entry)));
    return [
      links.length === 0 ? '' : `${lead}: ${links.join(' · ')}`,
      table(
        this.headings,
        own.flatMap(({ rows }) => rows),
      ),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  }
}

function textOf({ rows }: Entry): string {
  return JSON.stringify(rows);
}

/** `parameter-options.dryRun` as `parameter-options-dry-run`. */
function anchorOf(name: string): string {
  return name.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
