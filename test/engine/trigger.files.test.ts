import { Readable } from 'node:stream';

import type { INodeExecutionData } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { SentCall, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, TICKETS, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: [] }, (own) => (sandbox = own));

/** Files by their names. */
const files = (...names: readonly string[]): object[] =>
  names.map((name) => ({ name, mimeType: 'text/plain', text: `the text of ${name}` }));

/** An active trigger that downloads attachments. */
async function watch(options: TriggerOptions = {}): Promise<TriggerEngine> {
  const trigger = watchTickets(
    sandbox,
    { options: { downloadAttachments: true } },
    { clock: new FakePollClock(), ...options },
  );
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

/** The IDs by which files are requested, by their names. */
async function fileIds(trigger: TriggerEngine): Promise<Map<string, string>> {
  const { list } = await sandbox.call<{
    list: { item: { Files: { val: { attach: { item: { attachdisp: string; url: string }[] } } } }[] };
  }>('list_data', { app_id: '@tickets' });
  expect(trigger.calls.length).toBeGreaterThan(0);
  const attached = list.item.flatMap(({ Files }) => Files.val.attach.item);
  return new Map(attached.map(({ attachdisp, url }) => [attachdisp, new URL(url).searchParams.get('id')!]));
}

/** How often each file was requested, by its name. */
function downloads({ calls }: TriggerEngine, ids: ReadonlyMap<string, string>): Record<string, number> {
  const asked = calls.filter(isDownload).map(({ form }) => form.get('id'));
  return Object.fromEntries([...ids].map(([name, id]) => [name, asked.filter((each) => each === id).length]));
}

function isDownload({ action }: SentCall): boolean {
  return action === 'download_data_file';
}

function namesIn({ binary = {} }: INodeExecutionData): (string | undefined)[] {
  return Object.values(binary).map(({ fileName }) => fileName);
}

/** Answers in place of a file that can never be downloaded. */
const TROUBLES = {
  'HTTP 500': { statusCode: 500, text: 'Trouble' },
  'HTTP 503': { statusCode: 503, text: 'Trouble' },
  'HTTP 403 without a body': { statusCode: 403, text: '' },
  'half of it': { statusCode: 200, text: 'the te' },
} as const;

describe('a file that can never be downloaded', () => {
  it.each(Object.entries(TROUBLES))(
    'with %s: other records are output at once, its own record a few polls later without it',
    async (_, { statusCode, text }) => {
      const trigger = await watch();
      await sandbox.addRecords('tickets', [
        { Title: 'Before', Files: files('before') },
        { Title: 'Bad', Files: files('good', 'bad', 'fine') },
        { Title: 'After', Files: files('after') },
      ]);
      const ids = await fileIds(trigger);
      trigger.between = {
        answer: (call) =>
          isDownload(call) && call.form.get('id') === ids.get('bad')
            ? { statusCode, body: Readable.from(text === '' ? [] : [Buffer.from(text)]) }
            : undefined,
      };
      const first = await trigger.pollItems();
      expect(inWords(first.map(({ json }) => json))).toEqual(['created 1 (1)', 'created 3 (1)']);
      const later: INodeExecutionData[] = [];
      for (let polls = 0; polls < 4; polls++) later.push(...(await trigger.pollItems()));
      expect(later.map(({ json }) => json)).toMatchObject([
        { event: 'created', id: '2', Title: 'Bad', readError: expect.any(String) as string },
      ]);
      expect(namesIn(later[0]!)).toEqual(['good', 'fine']);
      expect(trigger.warnings.join()).toContain('Record 2 is returned without all its attachments');
      // What was output is not downloaded again.
      expect(downloads(trigger, ids)).toMatchObject({ before: 1, after: 1, good: 3, fine: 3 });
    },
  );

  it('because the service refuses it: its record is output at once without it', async () => {
    const trigger = await watch();
    await sandbox.addRecords('tickets', [{ Title: 'Bad', Files: files('good', 'bad') }]);
    const ids = await fileIds(trigger);
    const refusal = JSON.stringify({ status: 'ng', errorno: -1, errormessage: 'W:no [W1]' });
    trigger.between = {
      answer: (call) =>
        isDownload(call) && call.form.get('id') === ids.get('bad')
          ? { statusCode: 200, body: Readable.from([Buffer.from(refusal)]) }
          : undefined,
    };
    const [item] = await trigger.pollItems();
    expect(item!.json.readError).toContain('bad');
    expect(namesIn(item!)).toEqual(['good']);
  });

  it('is requested again when its record changes', async () => {
    const trigger = await watch();
    await sandbox.addRecords('tickets', [{ Title: 'Bad', Files: files('bad') }]);
    trigger.between = {
      answer: (call) => (isDownload(call) ? { statusCode: 500, body: Readable.from(['no']) } : undefined),
    };
    const words: string[] = [];
    for (let polls = 0; polls < 5; polls++) words.push(...inWords(await trigger.poll()));
    trigger.between = {};
    await sandbox.changeRecord('tickets', '1', { Title: 'Better' });
    const [item] = await trigger.pollItems();
    expect([...words, ...inWords([item!.json])]).toEqual(['created 1 (1)', 'updated 1 (1 to 2)']);
    expect(item!.json).not.toHaveProperty('readError');
    expect(namesIn(item!)).toEqual(['bad']);
  });
});

/** Only newer versions of n8n say how long a poll may take. */
const describeTimed = CAPABILITIES.pollBudget() ? describe : describe.skip;

describeTimed('files that take long', () => {
  const TIMED: TriggerOptions = { budgetMs: 300_000 };

  function takes(trigger: TriggerEngine, cost: (id: string) => number): void {
    trigger.between = { cost: (call) => (isDownload(call) ? cost(call.form.get('id')!) : 20) };
  }

  it('do not change the order of quick polls, which give the oldest change first', async () => {
    const trigger = watchTickets(
      sandbox,
      { options: { downloadAttachments: true, updatedPart: '4' } },
      { clock: new FakePollClock(), ...TIMED },
    );
    await trigger.activate();
    await sandbox.addRecords('tickets', [
      { Title: 'Slow', Files: files('slow') },
      { Title: 'Fast', Files: files('fast') },
    ]);
    const slow = (await fileIds(trigger)).get('slow');
    takes(trigger, (id) => (id === slow ? 20_000 : 20));
    expect(inWords(await trigger.poll())).toEqual(['created 1 (1)', 'created 2 (1)']);
  });

  it('hold up no other record, and come in part a few polls later, if they need longer than one poll', async () => {
    const trigger = await watch(TIMED);
    const names = Array.from({ length: 10 }, (_, index) => `file ${index}`);
    await sandbox.addRecords('tickets', [
      { Title: 'Many', Files: files(...names) },
      { Title: 'Other', Files: files('other') },
    ]);
    expect(await fileIds(trigger)).toHaveProperty('size', 11);
    takes(trigger, () => 50_000);
    const polls: INodeExecutionData[][] = [];
    for (let each = 0; each < 5; each++) polls.push(await trigger.pollItems());
    const items = polls.map((poll) => inWords(poll.map(({ json }) => json)));
    expect(items[0]).toEqual(['created 2 (1)']);
    expect(items.slice(1).flat()).toEqual(['created 1 (1)']);
    const [many] = polls.slice(1).flat();
    expect(many!.json.readError).toContain('did not answer within the time');
    expect(names.slice(0, 1)).toEqual(namesIn(many!).slice(0, 1));
    expect(namesIn(many!).length).toBeLessThan(names.length);
  });

  it('are output as readError if a single one needs longer than a poll', async () => {
    const trigger = await watch(TIMED);
    await sandbox.addRecords('tickets', [
      { Title: 'Slow', Files: files('quick', 'endless') },
      { Title: 'Other', Files: files('other') },
    ]);
    const ids = await fileIds(trigger);
    takes(trigger, (id) => (id === ids.get('endless') ? 900_000 : 100));
    expect(inWords(await trigger.poll())).toEqual(['created 2 (1)']);
    const later: INodeExecutionData[] = [];
    for (let polls = 0; polls < 4; polls++) later.push(...(await trigger.pollItems()));
    expect(later.map(({ json }) => json)).toMatchObject([
      {
        event: 'created',
        id: '1',
        readError: expect.stringContaining('did not answer within the time') as string,
      },
    ]);
    expect(namesIn(later[0]!)).toEqual(['quick']);
    expect(downloads(trigger, ids)).toMatchObject({ other: 1 });
  });

  it('take only their own time, also while their content comes', async () => {
    const clock = new FakePollClock();
    const trigger = await watch({ ...TIMED, clock });
    await sandbox.addRecords('tickets', [{ Title: 'Trickle', Files: files('trickle', 'quick') }]);
    const ids = await fileIds(trigger);
    const trickle = async function* (signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
      for (let chunk = 0; chunk < 100; chunk++) {
        await clock.sleep(10_000, signal);
        yield Buffer.from('x');
      }
    };
    trigger.between = {
      answer: (call) =>
        isDownload(call) && call.form.get('id') === ids.get('trickle')
          ? { statusCode: 200, body: Readable.from(trickle(call.signal)) }
          : undefined,
    };
    const begun = clock.elapsed();
    expect(await trigger.poll()).toEqual([]);
    // Of the 240 seconds of the poll, a quarter is left for what follows.
    expect(clock.elapsed() - begun).toBeLessThanOrEqual(180_000);
  });
});
