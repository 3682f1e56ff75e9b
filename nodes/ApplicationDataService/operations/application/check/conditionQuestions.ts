import { canonicalText, storedText } from '../../../parts/compare';
import { outputKey, partKey } from '../../../parts/model/keys';
import type { Part } from '../../../parts/model/part';
import type { FormField } from '../../../service/http/client';
import { isRefusal } from '../../../service/http/errors';
import { settle } from '../../../util/concurrently';
import { inWords } from './failure';
import { limited, ok, problem, unknown, type Finding } from './finding';
import type { Question } from './question';
import type { Inquiry, Sampled } from './inquiry';

/** Part types on which a condition with `=` may stand. */
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

/** Records that are looked at of what a condition finds. */
const FOUND: FormField = ['limit', '50'];

const SCANS = 'Create or Update reads the whole application where it matches on such a part';

/** A record's value of a part, as a write sends it. */
interface Held {
  readonly id: string;
  readonly text: string;
}

/** A value that is there, and whether another record of the sample holds another one. */
interface Specimen {
  readonly part: Part;
  readonly held: Held;
  readonly contrast: boolean;
}

/** The values of a part in records, where they are known and not empty. */
async function heldBy(inquiry: Inquiry, part: Part, records: readonly Sampled[]): Promise<(Held | null)[]> {
  const keyMode = await inquiry.keyMode();
  const context = { keyMode, timezone: inquiry.terms.timezone };
  const key = outputKey(partKey(part, keyMode));
  return await Promise.all(
    records.map(async ({ id, raw }) => {
      const simplified = await inquiry.simplified(raw);
      if (id === null || !Object.hasOwn(simplified, key)) return null;
      return { id, text: canonicalText(part, storedText(part, simplified[key], context)) };
    }),
  );
}

async function specimenOf(inquiry: Inquiry, type: string): Promise<Specimen | null> {
  const sample = await inquiry.sample();
  const mode = await inquiry.keyMode();
  const parts = (await inquiry.parts()).filter(
    (part) => part.type === type && !part.reference && partKey(part, mode) !== '',
  );
  let best: Specimen | null = null;
  for (const part of parts) {
    const values = (await heldBy(inquiry, part, sample)).filter((held) => held !== null);
    const held = values.find(({ text }) => text !== '' && !/[\r\n]/.test(text) && text.length < 255);
    if (held === undefined) continue;
    const contrast = values.some(({ text }) => text !== held.text);
    best ??= { part, held, contrast };
    if (contrast) return { part, held, contrast };
  }
  return best;
}

function condition(part: Part, operator: string, value?: string): FormField {
  return [
    'filter',
    JSON.stringify({ item: [{ field_id: part.id, operator, ...(value !== undefined && { value }) }] }),
  ];
}

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
  if (!asked.value.some(({ id }) => id === held.id)) {
    return limited('No: it does not find what is there', `${SCANS}. A condition with Equals finds nothing.`);
  }
  return contrast
    ? ok('Yes', 'Create or Update finds records with small requests.')
    : unknown(
        'It finds what is there; nothing else was there to be left out',
        'Run the check with records of different values.',
      );
}

const NO_ID = unknown('Not asked: lists carry no record ID', 'See "Do lists carry the record ID?".');

function unseen(type: string): Finding {
  return unknown(`No value of the type ${type} was seen`, 'Run the check in an application that holds one.');
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

async function idFrom(inquiry: Inquiry): Promise<Finding> {
  const part = await inquiry.listedId();
  if (part === null) return NO_ID;
  const sample = (await inquiry.sample()).flatMap(({ id }) => (id === null ? [] : [Number(id)]));
  const ids = [...sample].sort((a, b) => a - b);
  const [smallest, largest] = [ids[0], ids.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) {
    return unknown('There are fewer than two records', 'Add another one, and run the check again.');
  }
  const SLOWER = 'Large lists are read by position: somewhat slower, and just as safe.';
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
    ? ok('Yes', 'Large lists are read by ID.')
    : limited('No: it does not find what is there', SLOWER);
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

async function sort(inquiry: Inquiry, type: string): Promise<Finding> {
  const specimen = await specimenOf(inquiry, type);
  if (specimen === null) return unseen(type);
  const { part } = specimen;
  const ask = async (order: string): Promise<string[]> => {
    const records = await inquiry.records([['sort_field_id', part.id], ['sort_order', order], FOUND], [part]);
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

/** What conditions find. */
export const conditionQuestions: readonly Question[] = [
  ...FILTERED.map((type): Question => ({
    area: 'Conditions',
    question: `Does = find what is there in a part of the type ${type}?`,
    needs: 'application',
    ask: async (inquiry) => await equals(inquiry, type),
  })),
  {
    area: 'Conditions',
    question: 'Does = find what is there in the ID part?',
    needs: 'application',
    ask: idEquals,
  },
  {
    area: 'Conditions',
    question: 'Does >= find what is there in the ID part?',
    needs: 'application',
    ask: idFrom,
  },
  {
    area: 'Conditions',
    question: 'Does contains find a piece of a text?',
    needs: 'application',
    ask: contains,
  },
  { area: 'Conditions', question: 'Does is_null find empty texts only?', needs: 'application', ask: isNull },
];

/** What lists can be sorted by. */
export const sortQuestions: readonly Question[] = SORTED.map((type) => ({
  area: 'Sorting',
  question: `Can lists be sorted by a part of the type ${type}?`,
  needs: 'application',
  ask: async (inquiry) => await sort(inquiry, type),
}));
