import { watchForeignHosts } from '../support/browser';
import { demoCredential } from '../support/here';
import { OpenStory } from '../support/open-story';
import { eventually, textsOf, untilSays } from '../support/patience';
import { actionNode } from '../support/workflow';

const CUSTOMERS = { __rl: true, mode: 'list', value: '301', cachedResultName: 'Customers' };
/** The sandbox's part "Interests". */
const INTERESTS = '107';
/** The labels of the parts to fill in. */
const LABELS = '[data-test-id=mapping-fields-container] label [class*=_title_] > span';

let foreignHosts: ReadonlySet<string>;

const story = new OpenStory('Fill in', () => {
  const application = CUSTOMERS;
  return [
    actionNode('Fill In', demoCredential, ['record', 'create', 'customers'], { application }),
    actionNode('Map', demoCredential, ['record', 'create', 'customers'], {
      application,
      parts: { mappingMode: 'autoMapInputData', value: null },
    }),
    actionNode('Find First', demoCredential, ['record', 'upsert', 'customers'], { application }),
    actionNode('List', demoCredential, ['record', 'getAll', 'customers'], {
      application,
      filters: { condition: [{ part: '105', operator: 'equals', valueType: 'value', value: 'A' }] },
    }),
    actionNode('Begin', demoCredential, ['record', 'create', 'customers'], {
      application: { __rl: true, mode: 'list', value: '' },
    }),
  ];
});

beforeAll(() => {
  foreignHosts = watchForeignHosts(story.editor.page);
});

describe('In the panel at its default width', () => {
  it('parts are labelled with their names and a word for their values, and no label is cut off', async () => {
    const editor = await story.open('Fill In');
    await editor.field(INTERESTS).waitFor();
    const texts = await eventually(
      async () => await textsOf(editor.page.locator(LABELS)),
      (labels) =>
        expect(labels).toEqual(
          expect.arrayContaining([
            'Company',
            'Interests · list',
            'Customer Since · date',
            'Next Visit · date, time',
            'Account Managers · name',
          ]),
        ),
    );
    expect(texts.filter((text) => /\(\d+\)/.test(text))).toEqual([]);
    await eventually(
      async () =>
        await editor.page.evaluate<string[]>(
          `[...document.querySelectorAll('${LABELS}')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent)`,
        ),
      (cut) => expect(cut).toEqual([]),
    );
  });

  it('no missing parts are reported under Map Automatically', async () => {
    const editor = await story.open('Map');
    const text = await untilSays(
      editor.get('node-parameters'),
      'make sure the incoming data fields are named the same as the parts',
    );
    expect(text).not.toContain('no parts');
  });

  it('Create or Update says what it matches on', async () => {
    const editor = await story.open('Find First');
    const text = await untilSays(
      editor.get('node-parameters'),
      'Shown by its part ID. Select e.g. a customer number, not the ID of the record.',
    );
    expect(text).not.toContain('Usually an ID');
  });

  it('a condition says how it compares', async () => {
    const editor = await story.open('List');
    await editor.offers(editor.field('valueType'), (options) =>
      expect(options.map((text) => text.split('\n')[0])).toEqual([
        'Value or Name',
        'Choice From a List',
        'ID',
      ]),
    );
  });

  it('one notice at most is shown, when it matters', async () => {
    const notices = async (node: string) => {
      const editor = await story.open(node);
      const place = editor.get('node-parameters').locator('.notice');
      await place.first().waitFor();
      return await textsOf(place);
    };
    expect(await notices('Begin')).toEqual([
      expect.stringContaining('once an application is selected from the list'),
    ]);
    expect(await notices('Fill In')).toEqual(['A field you leave empty gets its default.']);
    expect(await notices('Find First')).toEqual([expect.stringContaining('is not sent')]);
  });

  it('the notice about fields stays under Map Automatically, and is true there', async () => {
    const editor = await story.open('Begin');
    await editor.chooseIn(editor.get('mapping-mode-select'), 'Map Automatically');
    await editor.chooseApplication('cust', 'Customers', 'Orders');
    await untilSays(
      editor.get('empty-fields-notice'),
      'With Map Each Column Manually, the parts appear here once an application is selected from the list.',
    );
  });

  it('attachments are downloaded unless another option is chosen', async () => {
    const editor = await story.open('List');
    // Attachments have no such operation: n8n then selects the default.
    await editor.choose('operation', 'Export');
    await editor.choose('resource', 'Attachment');
    await editor.field('binaryPropertyName').waitFor();
    await eventually(
      async () => await editor.field('operation').locator('input').first().inputValue(),
      (chosen) => expect(chosen).toBe('Download'),
    );
  });
});

it('the editor has sent no request to another machine', () => {
  expect([...foreignHosts]).toEqual([]);
});
