import { demoCredential, n8n } from '../support/here';
import { OpenStory } from '../support/open-story';
import { clickUntil, eventually, repeat, textsOf, untilSays } from '../support/patience';
import { useApplication } from '../support/use-application';
import { actionNode, type WorkflowNode } from '../support/workflow';

const VISITS = 60;
/** The number of records that the list loads at once. */
const PAGE = 50;

const visits = useApplication({
  name: 'Visits',
  identifier: 'visits',
  parts: [
    { name: 'Visitor', type: 'textbox' },
    { name: 'Purpose', type: 'select', options: ['Meeting', 'Delivery', 'Interview'] },
  ],
  records: Array.from({ length: VISITS }, (_, index) => ({
    Visitor: `Guest ${index + 1}`,
    Purpose: index % 2 === 0 ? 'Meeting' : 'Delivery',
  })),
});

/** A tool with the same condition, whose value a language model fills in. */
const tool = (node: WorkflowNode): WorkflowNode => ({ ...node, type: `${node.type}Tool` });

const story = new OpenStory('Find visits', () => {
  const { id, parts } = visits();
  const application = { __rl: true, mode: 'list', value: id, cachedResultName: 'Visits' };
  return [
    actionNode('Read a Visit', demoCredential, ['record', 'get', 'visits'], {
      application,
      recordId: { __rl: true, mode: 'list', value: '' },
    }),
    actionNode('Find Visits', demoCredential, ['record', 'getAll', 'visits'], {
      application,
      filters: {
        condition: [
          { part: parts.Visitor, operator: 'equals', value: 'Guest 7' },
          { part: parts.Purpose, operator: 'equals', valueType: 'option', value: '' },
        ],
      },
    }),
    tool(
      actionNode('Find as a Tool', demoCredential, ['record', 'getAll', 'visits'], {
        application,
        filters: { condition: [{ part: parts.Visitor, operator: 'equals', value: '' }] },
      }),
    ),
  ];
});

describe('A record', () => {
  it("is chosen from a list that shows the records' texts, newest first, page by page", async () => {
    const { records } = await story.open('Read a Visit');
    await records.open((texts) => {
      expect(texts).toHaveLength(PAGE);
      expect(texts[0]).toBe('Guest 60 · Delivery (60)');
    });

    await repeat(
      async (limit) => {
        // n8n loads more when the list scrolls.
        await records.items.first().scrollIntoViewIfNeeded(limit);
        await records.items.last().scrollIntoViewIfNeeded(limit);
      },
      async (limit) =>
        await eventually(
          async () => await textsOf(records.items),
          (texts) => {
            expect(texts).toHaveLength(VISITS);
            expect(texts.at(-1)).toBe('Guest 1 · Meeting (1)');
          },
          limit,
        ),
    );
  });

  it('is found by a word in it or by its ID, and read', async () => {
    const editor = await story.open('Read a Visit');
    await editor.chooseRecord('Guest 23');
    await editor.executeStep();
    await editor.output.getByText('Guest 23').waitFor();

    await editor.records.choose('17', 'Guest 17', (texts) => {
      // n8n keeps the chosen record in the list, whatever the search.
      expect(texts.filter((text) => !text.startsWith('Guest 23'))).toEqual(['Guest 17 · Meeting (17)']);
    });
  });

  it('is entered by its ID, and cleared when the application changes', async () => {
    const editor = await story.open('Read a Visit');
    await editor.records.enterBy('By ID', '9');
    // n8n takes over what is typed a moment after it shows it: until then it runs with the record chosen before.
    await repeat(
      async () => await editor.executeStep(),
      async (limit) => await editor.output.getByText('Guest 9', { exact: true }).waitFor(limit),
    );

    await editor.chooseApplication('order', 'Orders', 'Inventory');
    await eventually(
      async () => await editor.records.entry.inputValue(),
      (value) => expect(value).toBe(''),
    );
  });
});

describe('Conditions', () => {
  it('offer the choices of the part, and all or any of them must hold', async () => {
    const editor = await story.open('Find Visits');
    await editor.get('parameter-input-valueType').last().scrollIntoViewIfNeeded();
    const value = editor.field('value').last();
    await editor.offers(value, (options) => expect(options).toEqual(['Meeting', 'Delivery', 'Interview']));
    await editor.chooseIn(value, 'Delivery');

    await editor.executeStep();
    await editor.output.getByText('No output data returned').waitFor();
    await editor.choose('match', 'Any Condition');
    await editor.executeStep();
    await editor.output.getByText('Guest 7', { exact: true }).waitFor();
    await untilSays(editor.output, '31 items');
  });

  it('show what changes the value before it, and name it for a language model after its label', async () => {
    const editor = await story.open('Find as a Tool');
    const condition = editor.get('fixed-collection-filters');
    await eventually(
      async () => await textsOf(condition.locator('label [class*=_title_] > span')),
      (labels) => expect(labels.slice(-4)).toEqual(['Part Name or ID', 'Operator', 'Compare By', 'Value']),
    );
    await clickUntil(
      condition.locator('[data-test-id=from-ai-override-button]'),
      condition.getByText('Defined automatically by the model'),
    );
    await editor.closeNode();
    await editor.page.keyboard.press('Control+s');
    await eventually(
      async () => JSON.stringify(await n8n.get(`workflows/${story.workflowId}`)),
      (saved) => expect(saved).toContain("$fromAI('condition0_Value', "),
    );
  });
});
