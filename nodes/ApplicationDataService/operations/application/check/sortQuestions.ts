import { isRefusal } from '../../../service/http/errors';
import { sortFields } from '../../../service/read/recordList';
import { settle } from '../../../util/concurrently';
import type { Inquiry } from './inquiry';
import { type Finding, inWords, limited, ok, unknown } from './finding';
import type { Question } from './question';
import { FOUND, heldBy, specimenOf, unseen } from './specimen';

/** Part types that can be sorted by (service-facts, "Keyword and sort"). */
const SORTED = [
  'textbox',
  'radio',
  'select',
  'number',
  'date',
  'time',
  'datetime',
  'expression',
  'users',
  'groups',
  'user',
];

async function sort(inquiry: Inquiry, type: string): Promise<Finding> {
  const specimen = await specimenOf(inquiry, type);
  if (specimen === null) return unseen(type);
  const { part } = specimen;
  const ask = async (order: 'asc' | 'desc'): Promise<string[]> => {
    const records = await inquiry.records([...sortFields(part, order), FOUND], [part]);
    return (await heldBy(inquiry, part, records)).map((held) => held?.text ?? '');
  };
  const asked = await settle(async () => [await ask('asc'), await ask('desc')]);
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, 'Sort by another part, or sort in n8n.');
  }
  const [up = [], down = []] = asked.value;
  if (new Set([...up, ...down]).size < 2) {
    return unknown('All values are the same', 'Run the check with records of different values.');
  }
  if (up.join('\n') === down.join('\n')) return limited('No: both orders are the same', 'Sort in n8n.');
  const isOrdered = type !== 'number' || isRisingNumber(up.filter((text) => text !== ''));
  return isOrdered ? ok('Yes', 'Nothing to do.') : limited('Not by number', 'Sort in n8n.');
}

function isRisingNumber(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || Number(text) >= Number(texts[index - 1]));
}

export const sortQuestions: readonly Question[] = SORTED.map((type) => ({
  area: 'Sorting',
  question: `Can lists be sorted by a part of the type ${type}?`,
  needs: 'application',
  ask: async (inquiry) => await sort(inquiry, type),
}));
