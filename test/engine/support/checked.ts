import type { INodeParameters } from 'n8n-workflow';

import type { Engine, EngineOptions, EngineResult } from '../../support/engine';
import type { ApplicationDefinition, PartDefinition } from '../../support/sandbox';
import { byId } from './saved';

/** The answer of a check to one question. */
export interface Answered {
  readonly area: string;
  readonly question: string;
  readonly answer: string;
  readonly verdict: string;
  readonly consequence: string;
}

/** A part of every type, and two different values of it. */
const VALUES: readonly (readonly [name: string, type: string, ...values: unknown[]])[] = [
  ['Secret Title', 'textbox', 'Aardvark', 'Bumblebee'],
  ['Secret Place', 'textbox', 'Atlantis', 'Babylon'],
  ['Secret Note', 'textarea', 'Apple', 'Banana'],
  ['Secret Page', 'richeditor', '<p>Acorn</p>', '<p>Birch</p>'],
  ['Secret Class', 'radio', 'Alpha', 'Beta'],
  ['Secret Kind', 'select', 'Gamma', 'Delta'],
  ['Secret Marks', 'checkbox', ['Epsilon'], ['Zeta']],
  ['Secret Areas', 'listbox', ['Eta'], ['Theta']],
  ['Secret Sum', 'number', '7654321', '9876'],
  ['Secret Day', 'date', '1987-06-05', '1976-05-04'],
  ['Secret Hour', 'time', 3660, 7320],
  ['Secret Moment', 'datetime', '1987-06-05T04:03', '1976-05-04T03:02'],
  ['Secret People', 'users', ['1001'], ['1002']],
  ['Secret Teams', 'groups', ['201'], ['202']],
  ['Secret Files', 'files', [{ name: 'classified.txt', text: 'classified' }]],
  ['Secret Lines', 'input_list', [{ 'Secret Item': 'Anvil', 'Secret Remark': 'Acid' }]],
];
const withOptions = ['radio', 'select', 'checkbox', 'listbox'];
/** Two text parts, so that a row can leave one out. */
const children = ['Secret Item', 'Secret Remark'].map((name) => ({ name, type: 'textbox' }));

const identified = (part: PartDefinition): PartDefinition => ({
  ...part,
  identifier: `k_${part.name.toLowerCase().replaceAll(' ', '_')}`,
  ...(part.children && { children: part.children.map(identified) }),
});

const PARTS: readonly PartDefinition[] = [
  ...VALUES.map(([name, type, ...values]) => ({
    ...{ name, type },
    ...(withOptions.includes(type) && { options: values.flat() as string[] }),
    ...(type === 'input_list' && { children }),
  })),
  { name: 'Secret Double', type: 'expression', formula: '{Secret Sum} * 2' },
  { name: 'Secret Fixed', type: 'textbox', readonly: true },
  // More than a list returns if no parts are named.
  ...Array.from({ length: 40 }, (_, index) => ({ name: `Secret More ${index}`, type: 'textarea' })),
];

/** Two records with values, and one almost without any. */
const RECORDS = [
  ...[2, 3].map((at) =>
    Object.fromEntries(VALUES.flatMap((row) => (row[at] === undefined ? [] : [[row[0], row[at]]]))),
  ),
  { 'Secret Title': 'Chameleon' },
] as const;

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
  ...['Secret', 'k_', 'Aiko', 'Mori', 'Tanaka', 'Sales', 'classified', 'sandbox', '127.0.0.1', 'localhost'],
  ...['7654321', '9876'],
  ...RECORDS.flatMap((record) => Object.values<unknown>(record))
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
    { resource: 'application', operation: 'check', application: byId(application), ...more },
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
