import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeValues } from '../../parts/values/describe';
import type { Warnings } from '../../service/read/selection';
import { keyText, type MatchKey, type NearKeys } from '../../service/read/keyedRecords';
import type { Item } from '../run/item';

interface Told extends Pick<Warnings, 'readWhole'>, Partial<Pick<Warnings, 'lacks'>> {
  readonly hidden: ReadonlySet<Part>;
}

/** Adds hints about values that the node could not check, and about the cost of its conditions. */
export function hintAtWarnings(item: Item, told: Told): void {
  const { hidden, readWhole, lacks } = told;
  const { hints } = item.run;
  if (lacks?.id === true)
    hints.add(
      'The records have no "id": the list does not contain the ID part. Give the ID part an identifier in the application\'s settings',
    );
  if (lacks?.revision === true)
    hints.add(
      'The records have no "revision": this service returns it only for single records. Use Get if you need it',
    );
  for (const part of hidden) {
    hints.add(
      `The service does not show part ${namePart(part)} of every record: where it is hidden or in error, it meets no filter`,
      'hidden parts',
    );
  }
  if (readWhole === null) return;
  const cause =
    'All records of the application were read, because the service does not know the operators of these filters.';
  hints.add(
    readWhole === 'all'
      ? `${cause} In a large application, another filter with Equals, Contains, Is Greater Than or Equal To or Is Empty, or a keyword, saves time`
      : `${cause} In a large application, a keyword or Filter (JSON) saves time. Under Any Condition, another filter only adds records`,
  );
}

/** Names a record whose key only looks like that of the item, for which another one is added. */
export function hintAtNearKey(
  { item, parts, key, near }: NearWork,
  added: 'was added' | 'would be added',
): void {
  const like = near?.of(key) ?? null;
  if (like === null || keyText(like.key) === keyText(key)) return;
  item.run.hints.add(
    `A record ${added} for ${describeValues(key)} in ${parts.map(namePart).join(' and ')}, although record ${like.id} has ${describeValues(like.key)}: case, width, spaces and the form of numbers count`,
    'near keys',
  );
}

interface NearWork {
  readonly item: Item;
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  readonly near: NearKeys | null;
}
