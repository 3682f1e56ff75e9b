import { isRefusal } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import type { Inquiry } from './inquiry';
import { type Finding, inWords, limited, ok, problem, unknown } from './finding';
import { type Question, questionsOn } from './question';
import { condition, FOUND, heldBy, NO_ID, specimenOf, unseen } from './specimen';

/** Part types that a condition with `=` may use. */
const FILTERED = [
  'textbox',
  'textarea',
  'richeditor',
  'radio',
  'select',
  'checkbox',
  'listbox',
  'number',
  'date',
  'time',
  'datetime',
  'users',
  'groups',
  'expression',
] as const;

const SCANS = 'Create or Update reads the whole application where it matches on such a part';

async function equals(inquiry: Inquiry, type: string): Promise<Finding> {
  if ((await inquiry.listedId()) === null) return NO_ID;
  const specimen = await specimenOf(inquiry, type);
  if (specimen === null) return unseen(type);
  const { part, held, contrast } = specimen;
  const filter = condition(part, '=', held.text);
  const asked = await settle(async () => await inquiry.records([filter, FOUND], [part]));
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, `${SCANS}, and a condition with Equals is refused.`);
  }
  const found = await heldBy(inquiry, part, asked.value);
  if (found.some((other) => other !== null && other.text !== held.text)) {
    return problem(
      'It finds other values as well: the condition is ignored',
      `${SCANS}. A condition with Equals leaves nothing out: do not rely on it.`,
    );
  }
  if (asked.value.length === 0) {
    return limited('No: it does not find what is there', `${SCANS}. A condition with Equals finds nothing.`);
  }
  return contrast
    ? ok('Yes', 'Create or Update finds records with small requests.')
    : unknown(
        'It finds what is there; there was nothing to leave out',
        'Run the check with records of different values.',
      );
}

async function contains(inquiry: Inquiry): Promise<Finding> {
  if ((await inquiry.listedId()) === null) return NO_ID;
  const specimen = await specimenOf(inquiry, 'textbox');
  if (specimen === null) return unseen('textbox');
  const { part, held } = specimen;
  const word = held.text.length > 3 ? held.text.slice(1, -1).trim() : held.text;
  const asked = await settle(async () => await inquiry.records([condition(part, 'contains', word)], [part]));
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, 'A condition with Contains is refused. Use a keyword.');
  }
  return asked.value.some(({ id }) => id === held.id)
    ? ok('Yes', 'Nothing to do.')
    : limited('No: it does not find what is there', 'Use a keyword instead of Contains.');
}

async function isNull(inquiry: Inquiry): Promise<Finding> {
  if ((await inquiry.listedId()) === null) return NO_ID;
  const specimen = await specimenOf(inquiry, 'textbox');
  if (specimen === null) return unseen('textbox');
  const { part, held } = specimen;
  const asked = await settle(async () => await inquiry.records([condition(part, 'is_null'), FOUND], [part]));
  if ('error' in asked) {
    if (!isRefusal(asked.error)) throw asked.error;
    return limited(`No: ${inWords(asked.error)}`, 'A condition with Is Empty is refused.');
  }
  const found = await heldBy(inquiry, part, asked.value);
  return asked.value.some(({ id }) => id === held.id) ||
    found.some((other) => other !== null && other.text !== '')
    ? problem('It finds filled parts as well', 'Do not rely on Is Empty.')
    : ok('Yes', 'Nothing to do.');
}

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

const onConditions = questionsOn('Conditions', 'application');

export const conditionQuestions: readonly Question[] = [
  ...FILTERED.map((type): Question => ({
    area: 'Conditions',
    question: `Does = find what is there in a part of the type ${type}?`,
    needs: 'application',
    ask: async (inquiry) => await equals(inquiry, type),
  })),
  onConditions('Does = find what is there in the ID part?', idEquals),
  onConditions('Does contains find part of a text?', contains),
  onConditions('Does is_null find empty texts only?', isNull),
];
