import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { Warnings } from '../../service/read/selection';
import type { Item } from '../run/item';

/** Adds hints about what a list does not show: values that the node could not check, IDs, revisions. */
export function hintAtWarnings(
  { run: { hints } }: Item,
  { hidden, lacks }: { readonly hidden: ReadonlySet<Part>; readonly lacks?: Warnings['lacks'] },
): void {
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
}
