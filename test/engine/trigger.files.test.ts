import { Readable } from 'node:stream';

import type { Sandbox } from '../support/sandbox';
import type { SentCall } from '../support/triggerEngine';
import { like } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { add, answers, itself, set, takes, type Desk, type Step } from './support/storyActs';
import { gives, poll, tries, warned } from './support/storyPolls';
import { isDownload, type Answer } from './support/triggerCalls';

/** A record with files of these names. */
const withFiles = (Title: string, ...names: readonly string[]) => ({
  Title,
  Files: names.map((name) => ({ name, mimeType: 'text/plain', text: `the text of ${name}` })),
});

/** The names of all files by the IDs under which they are downloaded. */
async function namesById(sandbox: Sandbox): Promise<Map<string | null, string>> {
  const { list } = await sandbox.call<{
    list: { item: { Files: { val: { attach: { item: { attachdisp: string; url: string }[] } } } }[] };
  }>('list_data', { app_id: '@tickets' });
  const attached = list.item.flatMap(({ Files }) => Files.val.attach.item);
  return new Map(attached.map(({ attachdisp, url }) => [new URL(url).searchParams.get('id'), attachdisp]));
}

type OfFile<T> = (name: string, call: SentCall, desk: Desk) => T;
const instead =
  (answer: OfFile<Answer | undefined>): Step =>
  async (at) => {
    const names = await namesById(at.sandbox);
    const nameOf = ({ form }: SentCall) => names.get(form.get('id')) ?? '';
    await answers((call) => (isDownload(call) ? answer(nameOf(call), call, at) : undefined))(at);
  };
const downloadTakes =
  (cost: OfFile<number>): Step =>
  async (at) => {
    const names = await namesById(at.sandbox);
    const costOf = (call: SentCall) => cost(names.get(call.form.get('id')) ?? '', call, at);
    await takes((call) => (isDownload(call) ? costOf(call) : 20))(at);
  };
const content = (statusCode: number, text: string): Answer => ({
  statusCode,
  body: Readable.from(text === '' ? [] : [Buffer.from(text)]),
});
/** How often files were requested, by their names. */
const downloaded =
  (counts: Readonly<Record<string, number>>): Step =>
  async ({ sandbox, trigger }) => {
    const names = await namesById(sandbox);
    const asked = trigger.calls.filter(isDownload).map(({ form }) => names.get(form.get('id')));
    const found = Object.keys(counts).map((name) => [name, asked.filter((each) => each === name).length]);
    expect(Object.fromEntries(found)).toEqual(counts);
  };
/** Some polls give one item together: it came without all files. */
const comesInPart =
  (polls: number, readError: string, ...files: readonly string[]): Step =>
  async (at) => {
    const items = [];
    for (let each = 0; each < polls; each++) items.push(...(await at.trigger.pollItems()));
    const names = items.map(({ binary = {} }) => Object.values(binary).map(({ fileName }) => fileName));
    const json = { event: 'created', readError: like(readError) };
    expect(items.map((item) => item.json)).toMatchObject([json]);
    expect(names).toEqual([files]);
  };

const bad: Step = add(withFiles('Bad', 'good', 'bad'));
const late = 'did not answer within the time';
const TIMED = { engine: { budgetMs: 300_000 }, needsBudget: true };
const TEN = Array.from({ length: 10 }, (_, index) => `file ${index}`);

testStories(
  useDesk(),
  {
    ...each([
      ['HTTP 500', 500, 'Trouble'],
      ['HTTP 503', 503, 'Trouble'],
      ['HTTP 403 without a body', 403, ''],
      ['half of it', 200, 'the te'],
    ])('a file that never comes (%s): its record comes a few polls after the others', ([, status, text]) => [
      add(
        withFiles('Before', 'before'),
        withFiles('Bad', 'good', 'bad', 'fine'),
        withFiles('After', 'after'),
      ),
      instead((name) => (name === 'bad' ? content(status, text) : undefined)),
      [poll('created 1 (1)', 'created 3 (1)'), comesInPart(4, '', 'good', 'fine')],
      warned(/Record 2 is returned without all its attachments/),
      // What was output is not downloaded again.
      downloaded({ before: 1, after: 1, good: 3, fine: 3 }),
    ]),
    'a file that the service refuses: its record is output at once without it': [
      bad,
      instead((name) =>
        name === 'bad' ? content(200, '{"status":"ng","errorno":-1,"errormessage":"W:no [W1]"}') : undefined,
      ),
      comesInPart(1, 'bad', 'good'),
    ],
    'a file that a full queue keeps back is waited for, however many polls': [
      [bad, instead((name) => (name === 'bad' ? content(429, '') : undefined)), tries(4), itself],
      gives({ event: 'created', id: '1', readError: undefined, files: ['good', 'bad'] }),
    ],
    'a file that never came is requested again when its record changes': [
      [bad, instead(() => content(500, 'no')), comesInPart(5, ''), itself],
      set('1', { Title: 'Better' }),
      gives({ event: 'updated', id: '1', revision: 2, readError: undefined, files: ['good', 'bad'] }),
    ],
    'files that take long do not change the order of quick polls, which give the oldest change first': {
      ...{ ...TIMED, options: { downloadAttachments: true, updatedPart: '4' } },
      steps: [
        add(withFiles('Slow', 'slow'), withFiles('Fast', 'fast')),
        downloadTakes((name) => (name === 'slow' ? 20_000 : 20)),
        poll('created 1 (1)', 'created 2 (1)'),
      ],
    },
    'files that need longer than one poll hold up no other record, and come in part a few polls later': {
      ...TIMED,
      steps: [
        add(withFiles('Many', ...TEN), withFiles('Other', 'other')),
        [downloadTakes(() => 50_000), poll('created 2 (1)')],
        async ({ trigger }) => {
          const items = [];
          for (let each = 0; each < 4; each++) items.push(...(await trigger.pollItems()));
          const names = items.flatMap(({ binary = {} }) => Object.values(binary).map((one) => one.fileName));
          expect(items.map(({ json }) => json)).toMatchObject([
            { event: 'created', id: '1', readError: like(late) },
          ]);
          expect(names[0]).toBe(TEN[0]);
          expect(names.length).toBeLessThan(TEN.length);
        },
      ],
    },
    'a file that alone needs longer than a poll is told as readError': {
      ...TIMED,
      steps: [
        add(withFiles('Slow', 'quick', 'endless'), withFiles('Other', 'other')),
        downloadTakes((name) => (name === 'endless' ? 900_000 : 100)),
        [poll('created 2 (1)'), comesInPart(4, late, 'quick'), downloaded({ other: 1 })],
      ],
    },
    'a file takes only its own time, also while its content comes': {
      ...TIMED,
      steps: [
        add(withFiles('Trickle', 'trickle', 'quick')),
        instead((name, { signal }, { clock }) => {
          const trickle = async function* (): AsyncGenerator<Buffer> {
            for (let chunk = 0; chunk < 100; chunk++) {
              await clock.sleep(10_000, signal);
              yield Buffer.from('x');
            }
          };
          return name === 'trickle' ? { statusCode: 200, body: Readable.from(trickle()) } : undefined;
        }),
        async (at) => {
          const begun = at.clock.elapsed();
          await poll()(at);
          // Of the 240 seconds of the poll, a quarter is left for what follows.
          expect(at.clock.elapsed() - begun).toBeLessThanOrEqual(180_000);
        },
      ],
    },
  },
  { application: { records: [] }, options: { downloadAttachments: true } },
);
