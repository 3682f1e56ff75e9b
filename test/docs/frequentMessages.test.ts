import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/messages/sources';
import { type RunSettings, useWorkplace } from '../engine/support/workplace';
import { Engine, type EngineResult } from '../support/engine';
import type { Fault } from '../support/sandbox';

const place = useWorkplace({
  name: 'Orders',
  parts: [
    { name: 'Company', type: 'textbox' },
    { name: 'Status', type: 'select', options: ['Open', 'Shipped', 'Paid'] },
    { name: 'Due', type: 'date' },
    { name: 'Amount', type: 'number' },
  ],
  records: [{ Company: 'Acme' }],
});

/** What stands on the screen, by the anchor of the message: the message, and the text below it. */
const screens = new Map(
  [
    ...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(
      /^- <a id="([\w-]+)">[^\n]*\n\n {2}```text\n(.+?)\n {2}```$/gms,
    ),
  ].map(([, anchor = '', screen = '']) => [anchor, screen.replace(/^ {2}/gm, '')]),
);

const create = async (
  values: RunSettings['values'],
  faults: readonly Fault[] = [],
): Promise<EngineResult> => {
  await place.sandbox.setFaults([...faults]);
  return await place.create({ values });
};

/** Causes each of the messages. */
const CAUSES: Readonly<Record<string, () => Promise<EngineResult>>> = {
  'key-refused': async () => {
    const wrong = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'wrong' });
    return await wrong.run(place.parameters('get', { recordId: '1' }));
  },
  'no-app': () =>
    place.run('getAll', { application: { __rl: true, mode: 'id', value: '={{ $json.none }}' } }),
  'no-part': () => create({ Compny: 'Acme' }),
  'date-form': () => create({ Due: '31.12.2026' }),
  'not-option': () => create({ Status: 'shiped' }),
  'not-number': () => create({ Amount: '12 EUR' }),
  'no-record': () => place.run('get', { recordId: '4711' }),
  refused: () =>
    create({ Amount: '1' }, [
      { kind: 'ng', action: 'insert_data', errorno: -40001, message: 'Company is required.' },
    ]),
  changed: async () => {
    await place.change({ Amount: '7' });
    return await place.update({ conflictPolicy: 'fail', revision: '1', values: { Amount: '8' } });
  },
  unknown: () => create({ Company: 'Beta' }, [{ kind: 'drop', when: 'after', action: 'insert_data' }]),
};

test('ten messages are shown in full', () => {
  expect([...screens.keys()]).toEqual(Object.keys(CAUSES));
  expect(screens.size).toBe(10);
});

test.each(Object.keys(CAUSES))('%s stands on the page as on the screen', async (anchor) => {
  const { error } = await CAUSES[anchor]!();
  const { origin } = new URL(place.sandbox.baseUrl);
  const shown = `${error?.message}\n${error?.description}`.replaceAll(origin, 'https://erp.example.com');
  expect(screens.get(anchor)).toBe(shown);
});
