import { settle } from '../../../util/concurrently';
import { isRefusal } from '../../../service/http/errors';
import { inWords } from './failure';
import { limited, ok, problem, unknown, type Finding } from './finding';
import type { Inquiry } from './inquiry';
import { questionsOn, type Question } from './question';
import { condition, FOUND, NO_ID } from './specimen';

async function idEquals(inquiry: Inquiry): Promise<Finding> {
  const part = await inquiry.listedId();
  if (part === null) return NO_ID;
  const [known, other] = (await inquiry.sample()).map(({ id }) => id);
  if (typeof known !== 'string' || typeof other !== 'string')
    return unknown('There are fewer than two records', 'Add another one.');
  const asked = await settle(async () => await inquiry.records([condition(part, '=', known), FOUND]));
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, 'Conditions on the ID are refused.');
  }
  const ids = asked.value.map(({ id }) => id);
  if (ids.some((id) => id !== known))
    return problem(
      'It finds other records as well: the condition is ignored',
      'Do not rely on conditions on the ID.',
    );
  return ids.length === 0
    ? limited('No: it does not find what is there', 'Conditions on the ID find nothing.')
    : ok('Yes', 'Nothing to do.');
}

async function idFrom(inquiry: Inquiry): Promise<Finding> {
  const part = await inquiry.listedId();
  if (part === null) return NO_ID;
  const sample = (await inquiry.sample()).flatMap(({ id }) => (id === null ? [] : [Number(id)]));
  const ids = [...sample].sort((a, b) => a - b);
  const [smallest, largest] = [ids[0], ids.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) {
    return unknown('There are fewer than two records', 'Add another one, and run the check again.');
  }
  const SLOWER = 'The trigger reads large lists by position: somewhat slower, and just as safe.';
  const asked = await settle(
    async () => await inquiry.records([condition(part, '>=', String(largest)), FOUND]),
  );
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, SLOWER);
  }
  const found = asked.value.map(({ id }) => Number(id));
  if (found.some((id) => id < largest)) return limited('It finds smaller IDs as well', SLOWER);
  return found.includes(largest)
    ? ok('Yes', 'The trigger reads large lists by ID.')
    : limited('No: it does not find what is there', SLOWER);
}

const onConditions = questionsOn('Conditions', 'application');

/** Questions about what conditions on the ID find. */
export const idConditionQuestions: readonly Question[] = [
  onConditions('Does = find what is there in the ID part?', idEquals),
  onConditions('Does >= find what is there in the ID part?', idFrom),
];
