import type { EncodedPart } from '../../parts/encode';
import type { ApplicationSession } from '../../service/application/session';
import type { ItemOutcome, Progress } from '../../service/write/checkpoint';
import type { Change, Update } from '../../service/write/update';
import { writeRecord } from '../../service/write/writeRecord';
import type { NonEmpty } from '../../util/groupBy';
import type { Item } from '../run/item';

/** A change of single rows or files of a record, to be written together with those of other items. */
export interface ChangeWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly change: Change;
  /** The record's update, and the files of this change. */
  readonly update: Update;
}

/** Values with other names of their binary fields. */
export function renamed(
  values: readonly EncodedPart[],
  nameOf: (name: string) => string,
): readonly EncodedPart[] {
  return values.map(({ part, value }) => {
    if (value.kind === 'files') return { part, value: { ...value, add: value.add.map(nameOf) } };
    if (value.kind !== 'rows') return { part, value };
    const rows = value.rows.map((row) => ({ ...row, values: renamed(row.values, nameOf) }));
    return { part, value: { kind: 'rows', rows } };
  });
}

/**
 * The changes of several items of one record as one update. They may have binary fields of one name, so each name then
 * begins with its item and a colon.
 */
export function joinedUpdate(works: NonEmpty<ChangeWork>): Update {
  const joined = works.map(({ item, change, update }) => {
    const nameOf = (name: string): string => `${item.index}:${name}`;
    return {
      change: 'values' in change ? { ...change, values: renamed(change.values, nameOf) } : change,
      contents: [...update.contents].map(([name, content]) => [nameOf(name), content] as const),
    };
  });
  return {
    ...works[0].update,
    changes: joined.map(({ change }) => change),
    contents: new Map(joined.flatMap(({ contents }) => contents)),
  };
}

/**
 * Items of one record are processed in turn. Those with the same options are written in one update; what an earlier try
 * wrote together, or left in doubt, is finished as it was written.
 */
export const together = {
  serialKeyOf: ({ app, update }: ChangeWork): string => app.serialKey(update.id),
  groupOf: ({ item, app, update }: ChangeWork): string => {
    const earlier = item.run.memory.writtenWith(item.index, [app.application.id, update.id]);
    return JSON.stringify([update.options.autoAction, update.sends, earlier]);
  },
};

/** Writes the changes of several items of one record, and says what each comes to. One failed write fails them all. */
export async function writeTogether(
  works: NonEmpty<ChangeWork>,
): Promise<{ readonly progress: Progress; readonly outcomes: readonly ItemOutcome[] }> {
  const [{ item, app, update }, ...others] = works;
  const changes = works.map(({ change }) => change);
  const items = [item, ...others.map((each) => each.item)] as const;
  const checkpoint = item.checkpoint(app, update.id, changes, items);
  const progress = await writeRecord(app, joinedUpdate(works), checkpoint);
  return {
    progress,
    outcomes: works.map((work) => progress.items[checkpoint.indexes.indexOf(work.item.index)]!),
  };
}
