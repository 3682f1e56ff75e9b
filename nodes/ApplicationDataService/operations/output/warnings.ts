import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { Warnings } from '../../service/read/selection';
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
