import { anchor, table } from './markdown';

/** What a reader looks up: rows of a table, with its title in the first cell. */
export type Entry = readonly (readonly string[])[];

/** The entries that several sections of a page have in common. They are told once; the sections name them. */
export class Shared {
  private readonly entries = new Map<string, Entry>();

  constructor(
    readonly headings: readonly string[],
    /** The heading of the section that tells them. */
    readonly section: string,
    lists: readonly (readonly Entry[])[],
  ) {
    const all = lists.flat();
    for (const entry of all) {
      const text = JSON.stringify(entry);
      if (all.filter((each) => JSON.stringify(each) === text).length > 1) this.entries.set(text, entry);
    }
  }

  get rows(): readonly (readonly string[])[] {
    return [...this.entries.values()].flat();
  }

  /** The entries of a section: its own in a table, the others by name. */
  list(entries: readonly Entry[], lead: string): string {
    const isShared = (entry: Entry): boolean => this.entries.has(JSON.stringify(entry));
    const names = entries.filter(isShared).map((entry) => entry[0]?.[0]);
    const own = entries.filter((entry) => !isShared(entry)).flat();
    return [
      names.length === 0 ? '' : `[${lead}](#${anchor(this.section)}): ${names.join(' · ')}`,
      table(this.headings, own),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  }
}
