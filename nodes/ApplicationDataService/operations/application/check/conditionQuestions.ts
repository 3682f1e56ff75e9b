import { canonicalText, storedText } from '../../../parts/compare';
import { outputKey, partKey } from '../../../parts/model/keys';
import type { Part } from '../../../parts/model/part';
import type { FormField } from '../../../service/http/multipart';
import { filterCondition, filterText } from '../../../service/read/filter';
import { sortFields } from '../../../service/read/recordList';
import type { Inquiry, Sampled } from './inquiry';
import { type Finding, limited, ok, problem, Unanswered, unknown, unlessRefused } from './finding';
import { type Question, questionsOn } from './question';

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
];

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

const FOUND: FormField = ['limit', '50'];

const MISSED = 'No: it does not find what is there';
const ALIKE = 'Run the check with records of different values.';

async function equals(inquiry: Inquiry, type: string): Promise<Finding> {
  const { part, held, contrast } = await specimenOf(inquiry, type);
  const scans = type === 'id' ? '' : 'Create or Update reads the whole application to match such a part. ';
  const records = await found(inquiry, part, ['=', held.text], `${scans}A condition with Equals is refused.`);
  const others = await heldBy(inquiry, part, records);
  if (others.some((other) => other !== null && other.text !== held.text)) {
    const answer = 'It finds other values as well: the condition is ignored';
    return problem(answer, `${scans}A condition with Equals leaves nothing out: do not rely on it.`);
  }
  if (records.length === 0) return limited(MISSED, `${scans}A condition with Equals finds nothing.`);
  return contrast
    ? ok('Yes', 'The nodes find records with small requests.')
    : unknown('It finds what is there; there was nothing to leave out', ALIKE);
}

async function contains(inquiry: Inquiry): Promise<Finding> {
  const { part, held } = await specimenOf(inquiry, 'textbox');
  const word = held.text.length > 3 ? held.text.slice(1, -1).trim() : held.text;
  const refused = 'A condition with Contains is refused. Use a keyword.';
  const records = await found(inquiry, part, ['contains', word], refused, []);
  return records.some(({ id }) => id === held.id)
    ? ok('Yes')
    : limited(MISSED, 'Use a keyword instead of Contains.');
}

async function isNull(inquiry: Inquiry): Promise<Finding> {
  const { part, held } = await specimenOf(inquiry, 'textbox');
  const records = await found(inquiry, part, ['is_null'], 'A condition with Is Empty is refused.');
  const others = await heldBy(inquiry, part, records);
  const isFilled =
    records.some(({ id }) => id === held.id) || others.some((other) => (other?.text ?? '') !== '');
  return isFilled ? problem('It finds filled parts as well', 'Do not rely on Is Empty.') : ok('Yes');
}

async function found(
  inquiry: Inquiry,
  part: Part,
  [operator, value]: readonly [operator: string, value?: string],
  refused: string,
  limit: readonly FormField[] = [FOUND],
): Promise<Sampled[]> {
  const filter: FormField = ['filter', filterText([filterCondition(part, operator, value)])];
  return await unlessRefused(
    async () => await inquiry.records([filter, ...limit], [part]),
    (words) => limited(`No: ${words}`, refused),
  );
}

async function sort(inquiry: Inquiry, type: string): Promise<Finding> {
  const { part } = await specimenOf(inquiry, type);
  const ask = async (order: 'asc' | 'desc'): Promise<string[]> => {
    const records = await unlessRefused(
      async () => await inquiry.records([...sortFields(part, order), FOUND], [part]),
      (words) => limited(`No: ${words}`, 'Sort by another part, or sort in n8n.'),
    );
    return (await heldBy(inquiry, part, records)).map((held) => held?.text ?? '');
  };
  const [up, down] = [await ask('asc'), await ask('desc')];
  if (new Set([...up, ...down]).size < 2) return unknown('All values are the same', ALIKE);
  if (up.join('\n') === down.join('\n')) return limited('No: both orders are the same', 'Sort in n8n.');
  const filled = up.filter((text) => text !== '');
  const isOrdered = filled.every((text, index) => index === 0 || Number(text) >= Number(filled[index - 1]));
  return type !== 'number' || isOrdered ? ok('Yes') : limited('Not by number', 'Sort in n8n.');
}

/** A record's value of a part, as a write sends it. */
interface Held {
  readonly id: string;
  readonly text: string;
}

interface Specimen {
  readonly part: Part;
  readonly held: Held;
  readonly contrast: boolean;
}

/** The values of a part in records, if they are known and not empty. */
async function heldBy(inquiry: Inquiry, part: Part, records: readonly Sampled[]): Promise<(Held | null)[]> {
  const keyMode = await inquiry.keyMode();
  const context = { keyMode, timezone: inquiry.terms.timezone };
  const key = part.type === 'id' ? 'id' : outputKey(partKey(part, keyMode));
  return await Promise.all(
    records.map(async ({ id, raw }) => {
      const simplified = await inquiry.simplified(raw);
      if (id === null || !Object.hasOwn(simplified, key)) return null;
      return { id, text: canonicalText(part, storedText(part, simplified[key], context)) };
    }),
  );
}

/**
 * A value of a type in the sample, preferably from a part with different values.
 * @throws Unanswered if none was seen, or lists carry no record ID.
 */
export async function specimenOf(inquiry: Inquiry, type: string): Promise<Specimen> {
  const idPart = await inquiry.requiredId();
  const mode = await inquiry.keyMode();
  const parts = type === 'id' ? [idPart] : await inquiry.partsOf(type);
  let best: Specimen | null = null;
  for (const part of parts.filter((each) => partKey(each, mode) !== '')) {
    const values = (await heldBy(inquiry, part, await inquiry.sample())).filter((held) => held !== null);
    const held = values.find(({ text }) => text !== '' && !/[\r\n]/.test(text) && text.length < 255);
    if (held === undefined) continue;
    const contrast = values.some(({ text }) => text !== held.text);
    if (contrast || best === null) best = { part, held, contrast };
    if (contrast) break;
  }
  if (best !== null) return best;
  throw new Unanswered(
    unknown(`No value of the type ${type} was seen`, 'Run the check in an application that holds one.'),
  );
}

const onConditions = questionsOn('Conditions', 'application');
const onSorting = questionsOn('Sorting', 'application');

export const conditionQuestions: readonly Question[] = [
  ...FILTERED.map((type) =>
    onConditions(
      `Does = find what is there in a part of the type ${type}?`,
      async (inquiry) => await equals(inquiry, type),
    ),
  ),
  onConditions('Does = find what is there in the ID part?', async (inquiry) => await equals(inquiry, 'id')),
  onConditions('Does contains find part of a text?', contains),
  onConditions('Does is_null find empty texts only?', isNull),
  ...SORTED.map((type) =>
    onSorting(
      `Can lists be sorted by a part of the type ${type}?`,
      async (inquiry) => await sort(inquiry, type),
    ),
  ),
];
