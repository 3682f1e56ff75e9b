import { isObject, readItems } from '../../../parts/values/shapes';
import type { Answer } from '../../../service/http/answer';
import { NO_MATCHING_DATA } from '../../../service/http/client';
import { type Finding, formOf, handled, limited, ok, problem, unlessRefused } from './finding';

const READS_ALIKE = 'The nodes read it as an empty list.';

/** How an empty list is written. `ask` asks for something that does not exist. */
export async function emptyListFinding(ask: () => Promise<Answer>): Promise<Finding> {
  const { list } = await unlessRefused(ask, (words, { details }) =>
    details.errorNumber === NO_MATCHING_DATA
      ? handled(`As a refusal with error number ${NO_MATCHING_DATA}`, READS_ALIKE)
      : problem(
          `As a refusal the nodes do not know: ${words}`,
          'Reads that find nothing end as errors. Please report the error number.',
        ),
  );
  if (readItems(list).length === 0) return emptyForm(list, 'list', READS_ALIKE);
  return limited('It is not empty', 'A keyword that nothing holds finds something: do not rely on keywords.');
}

/** How a list that was limited to one item is written. @param none the finding if it is empty. */
export function singleItemFinding(list: unknown, none: Finding): Finding {
  const item = isObject(list) ? list.item : list;
  if (Array.isArray(item) && item.length === 1) return ok('A list of one');
  if (isObject(item)) return handled('The item itself', 'The nodes read it as a list of one.');
  return readItems(list).length === 0
    ? none
    : limited('More than was asked for', 'The service does not keep to the limit; the nodes do.');
}

/** How an empty container is written. */
export function emptyForm(container: unknown, name: string, alike: string): Finding {
  return formOf(
    container,
    [
      [(given) => given === undefined, handled(`Without ${name}`, alike)],
      [(given) => !isObject(given), handled('As an empty text', alike)],
      [(given) => Array.isArray((given as { item?: unknown }).item), ok('As an empty array')],
      [(given) => 'item' in (given as object), handled('With an empty text as item', alike)],
    ],
    handled('Without item', alike),
  );
}
