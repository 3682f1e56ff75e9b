import { nameNotRead } from '../../common/unknownName';
import type { UnknownName } from '../../parts/conditions/namesRead';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import type { Remarks } from '../../service/read/checkedList';
import type { Item } from '../run/item';

/** What a read found out that the user should know. */
type Told = Pick<Remarks, 'readWhole'> & {
  readonly disagreement?: Remarks['disagreement'];
  readonly hidden: ReadonlySet<Part>;
  readonly unknownNames: readonly UnknownName[];
};

/** Adds hints about values that the node could not check, and about the cost of its conditions. */
export function hintAtRemarks(item: Item, { hidden, readWhole, unknownNames, disagreement }: Told): void {
  const { hints } = item.run;
  for (const name of unknownNames) hints.add(nameNotRead(name), 'names not read');
  for (const part of hidden) {
    hints.add(
      `The service does not show part ${namePart(part)} of every record: where it is hidden or in error, it meets no filter`,
      'hidden parts',
    );
  }
  if (disagreement) {
    const { counted, given } = disagreement;
    hints.add(
      `The service counts ${counted} records here, but lists ${given}: records were added or deleted meanwhile, or it does not list all of them`,
    );
  }
  if (!readWhole) return;
  hints.add(
    'All records of the application were read, because the service does not know the operators of these filters. In a large application, another filter with Equals, Contains, Is Greater Than or Equal To or Is Empty, or a keyword, saves time',
  );
}
