import type { INodeParameters } from 'n8n-workflow';

import type { Engine, EngineOptions, EngineResult } from '../../support/engine';
import type { ApplicationDefinition, PartDefinition } from '../../support/sandbox';

/** The answer of a check to one question. */
export interface Answered {
  readonly area: string;
  readonly question: string;
  readonly answer: string;
  readonly verdict: string;
  readonly consequence: string;
}

const identified = (part: PartDefinition): PartDefinition => ({
  ...part,
  identifier: `k_${part.name.toLowerCase().replaceAll(' ', '_')}`,
  ...(part.children && { children: part.children.map(identified) }),
});

/** A table part with two text parts, so that a row can leave one out. */
const LINES: PartDefinition = {
  name: 'Secret Lines',
  type: 'input_list',
  children: [
    { name: 'Secret Item', type: 'textbox' },
    { name: 'Secret Remark', type: 'textbox' },
  ],
};

const PARTS: readonly PartDefinition[] = [
  { name: 'Secret Title', type: 'textbox' },
  { name: 'Secret Place', type: 'textbox' },
  { name: 'Secret Note', type: 'textarea' },
  { name: 'Secret Page', type: 'richeditor' },
  { name: 'Secret Class', type: 'radio', options: ['Alpha', 'Beta'] },
  { name: 'Secret Kind', type: 'select', options: ['Gamma', 'Delta'] },
  { name: 'Secret Marks', type: 'checkbox', options: ['Epsilon', 'Zeta'] },
  { name: 'Secret Areas', type: 'listbox', options: ['Eta', 'Theta'] },
  { name: 'Secret Sum', type: 'number' },
  { name: 'Secret Day', type: 'date' },
  { name: 'Secret Hour', type: 'time' },
  { name: 'Secret Moment', type: 'datetime' },
  { name: 'Secret People', type: 'users' },
  { name: 'Secret Teams', type: 'groups' },
  { name: 'Secret Files', type: 'files' },
  LINES,
  { name: 'Secret Double', type: 'expression', formula: '{Secret Sum} * 2', resultType: 'number' },
  { name: 'Secret Fixed', type: 'textbox', readonly: true },
  // More than a list returns if no parts are named.
  ...Array.from({ length: 40 }, (_, index) => ({ name: `Secret More ${index}`, type: 'textarea' })),
];

/** Two different values of every type, and a record without any. */
const RECORDS = [
  {
    'Secret Title': 'Aardvark',
    'Secret Place': 'Atlantis',
    'Secret Note': 'Apple',
    'Secret Page': '<p>Acorn</p>',
    'Secret Class': 'Alpha',
    'Secret Kind': 'Gamma',
    'Secret Marks': ['Epsilon'],
    'Secret Areas': ['Eta'],
    'Secret Sum': '7654321',
    'Secret Day': '1987-06-05',
    'Secret Hour': 3660,
    'Secret Moment': '1987-06-05T04:03',
    'Secret People': ['1001'],
    'Secret Teams': ['201'],
    'Secret Files': [{ name: 'classified.txt', text: 'classified' }],
    'Secret Lines': [{ 'Secret Item': 'Anvil', 'Secret Remark': 'Acid' }],
  },
  {
    'Secret Title': 'Bumblebee',
    'Secret Place': 'Babylon',
    'Secret Note': 'Banana',
    'Secret Page': '<p>Birch</p>',
    'Secret Class': 'Beta',
    'Secret Kind': 'Delta',
    'Secret Marks': ['Zeta'],
    'Secret Areas': ['Theta'],
    'Secret Sum': '9876',
    'Secret Day': '1976-05-04',
    'Secret Hour': 7320,
    'Secret Moment': '1976-05-04T03:02',
    'Secret People': ['1002'],
    'Secret Teams': ['202'],
  },
  { 'Secret Title': 'Chameleon' },
];

/** An application in which a check finds an answer to every question. */
export const CHECKED: ApplicationDefinition = {
  name: 'Secret Application',
  identifier: 'secret',
  parts: PARTS.map(identified),
  systemIdentifiers: { id: 'k_id', createdAt: 'k_c', createdBy: 'k_cb', updatedAt: 'k_u', updatedBy: 'k_ub' },
  records: RECORDS,
};

/** Texts that no report may contain: names, values, people, files. */
export const SECRETS: readonly string[] = [
  'Secret',
  'k_',
  'Aiko',
  'Mori',
  'Tanaka',
  'Sales',
  'classified',
  'sandbox',
  '127.0.0.1',
  'localhost',
  '7654321',
  '9876',
  ...RECORDS.flatMap((record) => Object.values(record) as unknown[])
    .flat()
    .filter((value) => typeof value === 'string' && /^[A-Z<]/.test(value))
    .map(String),
];

/** Runs a check. */
export async function check(
  engine: Engine,
  application: string,
  more: INodeParameters = {},
  options?: EngineOptions,
): Promise<EngineResult & { readonly answers: readonly Answered[] }> {
  const result = await engine.run(
    {
      resource: 'application',
      operation: 'check',
      application: { __rl: true, mode: 'id', value: application },
      ...more,
    },
    options,
  );
  return { ...result, answers: result.json as unknown as Answered[] };
}

/** The text of a check's report. */
export function reportIn({ items }: EngineResult, field = 'data'): string {
  return Buffer.from(items[0]?.binary?.[field]?.data ?? '', 'base64').toString();
}

/** The answer to the one question that contains a text. */
export function answerTo(answers: readonly Answered[], question: string): Answered {
  const found = answers.filter((each) => each.question.includes(question));
  if (found.length === 1) return found[0]!;
  throw new Error(`${found.length} questions hold "${question}"`);
}

/** The questions that have a verdict. */
export function questionsWith(answers: readonly Answered[], verdict: string): string[] {
  return answers.filter((each) => each.verdict === verdict).map(({ question }) => question);
}
