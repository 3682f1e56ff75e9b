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

function named(target: string, lead: string, entries: readonly Entry[]): string {
  return entries.length === 0
    ? ''
    : `[${lead}](${target}): ${entries.map((entry) => entry[0]?.[0]).join(' · ')}`;
}
