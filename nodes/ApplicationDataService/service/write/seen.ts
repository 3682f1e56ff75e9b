import { holds, holdsAll, storedText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteContext } from '../../parts/model/part';
import { placeRows, storedRows, type StoredRow } from '../../parts/placeRows';
import { valueOf } from '../../parts/types/entries';
import { readText } from '../../parts/values/shapes';
import type { CurrentRecord } from '../read/records';
import { countEqualFiles, filesOf, filesOfRows } from './files';
import type { Contents } from './form';
import type { Seen } from './verdict';

/** A simplified record or row, or what is known of it. */
type Holder = Readonly<Record<string, unknown>>;

/**
 * What a record shows of a write.
 * @param values as they were sent under `revision`.
 * @param before what is known of the record before.
 */
export function look(
  values: readonly EncodedPart[],
  revision: number,
  before: Holder,
  after: CurrentRecord,
  context: WriteContext,
  contents: Contents,
): Seen {
  const looked = new Look(context, contents);
  for (const each of values) looked.at(each, before, after.record);
  return { moved: after.revision - revision, ...looked.seen() };
}

/** What one look finds, part by part and row by row. */
class Look {
  private readonly held: (boolean | null)[] = [];
  private isAsBefore = true;
  /** How many rows and files were to be added, how many are new, and how many of the added ones these equal. */
  private added = 0;
  private fresh = 0;
  private equal = 0;

  constructor(
    private readonly context: WriteContext,
    private readonly contents: Contents,
  ) {}

  seen(): Omit<Seen, 'moved'> {
    const { added, fresh, equal } = this;
    const held = holdsAll(this.held);
    return {
      held,
      adds: added > 0,
      isAll: held === true && (added === 0 || (fresh === added && equal === added)),
      isAsBefore: added > 0 ? fresh === 0 && held !== null : this.isAsBefore,
    };
  }

  at({ part, value }: EncodedPart, before: Holder, after: Holder): void {
    const { context } = this;
    const was = valueOf(before, part, context);
    const is = valueOf(after, part, context);
    if (value.kind === 'rows') this.atRows(part, value.rows, storedRows(was), storedRows(is));
    if (value.kind === 'text') {
      const isKnown = was !== undefined && is !== undefined;
      const isSame = isKnown && storedText(part, was, context) === storedText(part, is, context);
      this.note(holds(part, value, is, context), isSame);
    }
    if (value.kind !== 'files') return;
    const files = filesOf(is);
    const known = new Set(filesOf(was)?.map(({ id }) => id));
    const fresh = files?.filter(({ id }) => !known.has(id)) ?? [];
    const left = value.remove.filter((id) => files?.some((file) => file.id === id));
    const held = files === undefined ? null : left.length === 0;
    this.note(held, files !== undefined && left.length === value.remove.length);
    this.count(value.add.length, fresh.length, countEqualFiles(value.add, fresh, this.contents));
  }

  private note(held: boolean | null, isAsBefore: boolean): void {
    this.held.push(held);
    this.isAsBefore &&= isAsBefore;
  }

  private count(added: number, fresh: number, equal: number): void {
    this.added += added;
    this.fresh += fresh;
    this.equal += equal;
  }

  private atRows(
    table: Part,
    sent: readonly RowWrite[],
    was: readonly StoredRow[] | undefined,
    is: readonly StoredRow[] | undefined,
  ): void {
    if (was === undefined || is === undefined) return this.note(null, false);
    const before = new Map(was.map((row) => [readText(row.id), row]));
    const now = new Map(is.map((row) => [readText(row.id), row]));
    const files = filesOfRows(table, this.context, this.contents, false);
    const place = (rows: readonly RowWrite[], among: readonly StoredRow[]): number =>
      placeRows(rows, among, this.context, files).filter((row) => row !== null).length;
    // Rows without IDs are told by all of them together.
    if (before.has('') || now.has('')) {
      const isHeld = sent.length === is.length && place(sent, is) === is.length;
      return this.note(isHeld, JSON.stringify(was) === JSON.stringify(is));
    }
    const kept = new Map(sent.map((row) => [row.id, row.values]));
    for (const [id, values] of kept) {
      if (id === undefined) continue;
      const then = before.get(id) ?? {};
      for (const each of values) if (!this.wasHeld(each, then)) this.at(each, then, now.get(id) ?? {});
    }
    const gone = [...before.keys()].filter((id) => !kept.has(id));
    this.note(
      gone.every((id) => !now.has(id)),
      gone.every((id) => now.has(id)),
    );
    const added = sent.filter(({ id }) => id === undefined);
    const fresh = is.filter(({ id }) => !before.has(readText(id)));
    this.count(added.length, fresh.length, place(added, fresh));
  }

  private wasHeld({ part, value }: EncodedPart, then: Holder): boolean {
    return (
      value.kind === 'text' && holds(part, value, valueOf(then, part, this.context), this.context) === true
    );
  }
}
