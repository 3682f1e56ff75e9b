import { partsOf } from '../../support/parts';
import type { ApplicationDefinition, CreatedApplication } from '../../support/sandbox';
import type { ServiceClient } from './serviceCall';

/** An application with every part type that can be searched, filtered or sorted by, and four records. */
export const everything: ApplicationDefinition = {
  name: 'Everything',
  identifier: 'everything',
  parts: [
    { name: 'Text', type: 'textbox', identifier: 'text' },
    { name: 'Long', type: 'textarea', identifier: 'long' },
    { name: 'Rich', type: 'richeditor' },
    { name: 'Check', type: 'checkbox', options: ['red', 'green', 'blue'] },
    { name: 'List', type: 'listbox', options: ['x', 'y'] },
    { name: 'Radio', type: 'radio', options: ['A', 'B', 'C'] },
    { name: 'Select', type: 'select', options: ['one', 'two'] },
    ...partsOf({ Number: 'number', Date: 'date', Time: 'time', Moment: 'datetime', Files: 'files' }),
    { name: 'Double', type: 'expression', formula: '{Number} * 2' },
    { name: 'People', type: 'users' },
    { name: 'Groups', type: 'groups' },
    { name: 'Rows', type: 'input_list', children: [{ name: 'Cell', type: 'textbox' }] },
    {
      name: 'Related',
      type: 'rel_list',
      relation: { application: 'customers', key: 'Number', match: 'ID' },
      children: [{ name: 'Company', type: 'reference', source: 'Company' }],
    },
    {
      name: 'Company',
      type: 'reference',
      reference: { application: 'customers', key: 'Number', match: 'ID', part: 'Company' },
    },
  ],
  records: [
    {
      Text: 'apple pie',
      Long: 'sweet words',
      Rich: '<p>baked</p>',
      Check: ['red', 'green'],
      List: ['x'],
      Radio: 'B',
      Select: 'one',
      Number: 10,
      Date: '2026-01-31',
      Time: 3600,
      Moment: '2026-01-31T10:00',
      Files: [{ name: 'recipe.pdf', text: 'secret' }],
      People: ['1001'],
      Groups: ['201'],
      Rows: [{ Cell: 'needle' }],
    },
    {
      Text: 'Banana',
      Check: ['green'],
      List: ['x', 'y'],
      Radio: 'A',
      Select: 'two',
      Number: 9,
      Date: '2025-12-31',
      Time: 7200,
      Moment: '2025-12-31T10:00',
      People: ['1002', '1001'],
      Groups: ['202'],
    },
    { Text: 'cherry', Radio: 'C', Number: 2, Check: ['blue'], Rows: [{ Cell: 'a' }, { Cell: 'b' }] },
    {},
  ],
};

/** Creates the application for all tests of a file, and takes back how the service answers after each of them. */
export function useEverything(client: ServiceClient): Pick<CreatedApplication, 'id' | 'parts'> {
  const app = { id: '', parts: {} };
  beforeAll(async () => void Object.assign(app, await client.sandbox.createApplication(everything)));
  afterEach(() => client.sandbox.resetDialect());
  return app;
}
