import { isObject } from '../../../parts/values/shapes';
import { readItems } from '../../../parts/values/wire';
import type { Answer } from '../../../service/http/answer';
import { isRefusal } from '../../../service/http/errors';
import { NO_MATCHING_DATA } from '../../../service/http/client';
import { settle } from '../../../util/concurrently';
import type { RawValue } from './inquiry';
import { type Finding, handled, inWords, limited, ok, problem, unknown } from './finding';

const READS_ALIKE = 'The nodes read it as an empty list.';

/** How an empty list is written. `ask` asks for something that does not exist. */
export async function emptyListFinding(ask: () => Promise<Answer>): Promise<Finding> {
  const asked = await settle(ask);
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    if (asked.error.details.errorNumber === NO_MATCHING_DATA) {
      return handled(`As a refusal with error number ${NO_MATCHING_DATA}`, READS_ALIKE);
    }
    return problem(
      `As a refusal the nodes do not know: ${inWords(asked.error)}`,
      'Reads that find nothing end as errors. Please report the error number.',
    );
  }
  const { list } = asked.value;
  if (readItems(list).length > 0) {
    return limited(
      'It is not empty',
      'A keyword that nothing holds finds something: do not rely on keywords.',
    );
  }
  return containerFinding(list, 'list', READS_ALIKE);
}

/** How a list that was limited to one item is written. @param none the finding if it is empty. */
export function singleItemFinding(list: unknown, none: Finding): Finding {
  const item = isObject(list) ? list.item : list;
  if (Array.isArray(item) && item.length === 1) return ok('A list of one', 'Nothing to do.');
  if (isObject(item)) return handled('The item itself', 'The nodes read it as a list of one.');
  return readItems(list).length === 0
    ? none
    : limited('More than was asked for', 'The service does not keep to the limit; the nodes do.');
}

/** How an empty container is written. */
function containerFinding(container: unknown, name: string, alike: string): Finding {
  if (!isObject(container)) {
    return container === undefined ? handled(`Without ${name}`, alike) : handled('As an empty text', alike);
  }
  if (Array.isArray(container.item)) return ok('As an empty array', 'Nothing to do.');
  return 'item' in container ? handled('With an empty text as item', alike) : handled('Without item', alike);
}

/** How empty values (files, people, groups, rows) are written. */
export function emptyInnerFinding(values: readonly RawValue[], container: string): Finding {
  const found = new Map<string, Finding>();
  for (const { val } of values) {
    const inner = isObject(val) ? val[container] : val;
    if (readItems(inner).length > 0 || (isObject(val) && !(container in val))) continue;
    const finding = containerFinding(isObject(val) ? inner : '', container, 'The nodes read it as empty.');
    found.set(finding.answer, finding);
  }
  return combined(found, 'No empty value was seen', 'Run the check again once a record has an empty one.');
}

/** Combines findings with different answers into one: the worst verdict, with all answers. */
export function combined(found: ReadonlyMap<string, Finding>, none: string, howToFindOut: string): Finding {
  const [first, ...others] = [...found.values()].sort((a, b) => rank(b) - rank(a));
  if (first === undefined) return unknown(none, howToFindOut);
  if (others.length === 0) return first;
  return { ...first, answer: [...found.keys()].sort().join(', or: ') };
}

function rank({ verdict }: Finding): number {
  return ['unknown', 'ok', 'handled', 'limited', 'problem'].indexOf(verdict);
}

/** The forms in which the service writes values. Empty values are skipped. */
export function valueFinding(
  values: readonly RawValue[],
  judge: (val: unknown) => Finding,
  type: string,
): Finding {
  const found = new Map<string, Finding>();
  for (const { val } of values) {
    if (val === '' || val === null || val === undefined) continue;
    const finding = judge(val);
    found.set(finding.answer, finding);
  }
  return combined(
    found,
    `No value of the type ${type} was seen`,
    'Run the check again in an application that holds one.',
  );
}
