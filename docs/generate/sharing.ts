import { anchor, table } from './markdown';

/** What a reader looks up: rows of a table, with its title in the first cell. */
export type Entry = readonly (readonly string[])[];

/** What the page of records tells once, for all other pages. */
export interface Elsewhere {
  readonly page: string;
  readonly shared: Shared;
}

/** The entries that several sections of a page have in common. They are told once; the sections name them. */
export class Shared {
  private readonly entries = new Map<string, Entry>();

  constructor(
    readonly headings: readonly string[],
    /** The heading of the section that tells them. */
    readonly section: string,
    lists: readonly (readonly Entry[])[],
    /** What another page tells is named, not told again. */
    private readonly elsewhere?: Elsewhere,
  ) {
    const all = lists.flat().filter((entry) => !this.isElsewhere(entry));
    for (const entry of all) {
      const text = JSON.stringify(entry);
      if (all.filter((each) => JSON.stringify(each) === text).length > 1) this.entries.set(text, entry);
    }
  }

  get rows(): readonly (readonly string[])[] {
    return [...this.entries.values()].flat();
  }

  has(entry: Entry): boolean {
    return this.entries.has(JSON.stringify(entry));
  }

  /**
   * A group whose fields another group that is shared has, too: one row, which says so and what it lacks.
   * @param saved the name under which both groups are saved
   */
  likeShared(entry: Entry, saved: string): Entry {
    const other = [...this.entries.values()].find(([row]) => row?.[1] === saved);
    const [row] = entry;
    if (other === undefined || row?.[1] !== saved || this.has(entry)) return entry;
    const own = choicesIn(entry);
    const lacking = choicesIn(other).filter((choice) => !own.includes(choice));
    const but = lacking.length === 0 ? '' : `, without ${lacking.join(', ')}`;
    const like = `Its fields are those of [${other[0]?.[0]}](#${anchor(this.section)})${but}.`;
    return [[...row.slice(0, -1), `${row.at(-1)} ${like}`]];
  }

  /** The entries of a section: its own in a table, the others by name. */
  list(entries: readonly Entry[]): string {
    const own = entries.filter((entry) => !this.has(entry) && !this.isElsewhere(entry)).flat();
    const there = entries.filter((entry) => this.isElsewhere(entry));
    const { page = '', shared } = this.elsewhere ?? {};
    return [
      named(`${page}#${anchor(shared?.section ?? '')}`, 'As for records', there),
      named(
        `#${anchor(this.section)}`,
        this.section,
        entries.filter((entry) => this.has(entry)),
      ),
      table(this.headings, own),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  }

  private isElsewhere(entry: Entry): boolean {
    return this.elsewhere?.shared.has(entry) === true;
  }
}

/** The names of the choices that rows describe. */
function choicesIn(entry: Entry): string[] {
  return entry.flatMap((row) =>
    [...(row.at(-1) ?? '').matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name),
  );
}

function named(target: string, lead: string, entries: readonly Entry[]): string {
  return entries.length === 0
    ? ''
    : `[${lead}](${target}): ${entries.map((entry) => entry[0]?.[0]).join(' · ')}`;
}
