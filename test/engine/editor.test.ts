import type {
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodeParameters,
  INodePropertyOptions,
  ResourceMapperFields,
} from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

const { loadOptions, listSearch, resourceMapping } = new ApplicationDataService().methods;

const place = useWorkplace(tickets());

function context(
  application: INodeParameters | string = { __rl: true, mode: 'list', value: place.app.id },
): ILoadOptionsFunctions {
  return place.engine.editor({ resource: 'record', operation: 'getAll', application });
}

const names = (options: INodePropertyOptions[]): string[] => options.map(({ name }) => name);

async function search(filter?: string, token?: string): Promise<INodeListSearchResult> {
  return await listSearch.searchApplications.call(context(), filter, token);
}

describe('applications', () => {
  test('are listed with their ids and descriptions', async () => {
    const { results, paginationToken } = await search();
    expect(paginationToken).toBeUndefined();
    expect(results).toContainEqual({
      name: 'Customers',
      value: '301',
      description: expect.stringContaining('All companies we sell to') as string,
    });
  });

  test('are searched by the service', async () => {
    expect((await search('sell to')).results.map(({ name }) => name)).toEqual(['Customers']);
    expect((await search('no such thing')).results).toEqual([]);
    const [, call] = (await place.sandbox.log()).map(({ parameters }) => Object.fromEntries(parameters));
    expect(call).toEqual({ action: 'list_apps', keyword: 'no such thing', limit: '100' });
  });

  test('say so if they cannot be used', async () => {
    await place.sandbox.createApplication({ name: 'Closed', status: 'stopped', parts: [] });
    await place.sandbox.createApplication({ name: 'Repair', status: 'maintenance', parts: [] });
    const found = (await search()).results.map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(['Closed (stopped)', 'Repair (under maintenance)']));
  });

  test('are listed page by page', async () => {
    for (let number = 0; number < 110; number++) {
      await place.sandbox.createApplication({ name: `Numbered ${number}`, parts: [] });
    }
    const first = await search('Numbered');
    const second = await search('Numbered', String(first.paginationToken));
    expect([first.results.length, second.results.length, second.paginationToken]).toEqual([
      100,
      10,
      undefined,
    ]);
    expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(110);
  });
});

describe('parts', () => {
  test('are listed by name, with their types', async () => {
    const options = await loadOptions.getParts.call(context());
    expect(options).toContainEqual({
      name: 'Title',
      value: place.app.parts.Title,
      description: 'Text (one line)',
    });
    expect(names(options)).toHaveLength(19);
  });

  test('to empty: none that cannot be written', async () => {
    const options = names(await loadOptions.getWritableParts.call(context()));
    expect(options).toEqual(expect.arrayContaining(['Title', 'Kind', 'Files']));
    expect(options).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(ID|Created|Updated|Sum|Related)/)]),
    );
  });

  test('to filter by: say what can be chosen in them', async () => {
    const options = await loadOptions.getFilterParts.call(context());
    const about = (part: string): unknown =>
      options.find(({ value }) => value === place.app.parts[part])?.description;
    expect(about('Kind')).toBe('Pull down: Bug, Wish, Question');
    expect(about('Title')).toBe('Text (one line)');
  });

  test.each([
    ['Kind', ['Bug', 'Wish', 'Question']],
    ['Title', []],
    ['gone', []],
  ])('the choices for the part of a condition: %s', async (part, expected) => {
    const condition = [{ part: 'Title' }, { part: place.app.parts[part] ?? part }];
    const application = { __rl: true, mode: 'list', value: place.app.id };
    const parameters = { resource: 'record', operation: 'getAll', application, filters: { condition } };
    const editor = place.engine.editor(parameters, 'parameters.filters.condition[1].value');
    const options = await loadOptions.getPartChoices.call(editor);
    expect(options).toEqual(expected.map((name) => ({ name, value: name })));
  });

  // Which types are which: test/unit/parts/codecs.test.ts.
  test.each([
    ['getFilterParts', 18, 'Related'],
    ['getSortParts', 14, 'Text'],
    ['getKeywordParts', 10, 'Hours'],
  ] as const)('%s gives %i of them, without "%s"', async (method, count, without) => {
    const listed = names(await loadOptions[method].call(context()));
    expect([listed.length, listed.includes('Title'), listed.includes(without)]).toEqual([count, true, false]);
  });

  test('are also found by identifier; there are none while the application is an expression', async () => {
    const byIdentifier = { __rl: true, mode: 'identifier', value: '@tickets' };
    expect(await loadOptions.getParts.call(context(byIdentifier))).toHaveLength(19);
    expect(await loadOptions.getParts.call(context({ __rl: true, mode: 'list', value: '' }))).toEqual([]);
    expect(await loadOptions.getParts.call(context({ __rl: true, mode: 'id', value: '={{ 1 }}' }))).toEqual(
      [],
    );
  });

  test('report errors', async () => {
    const loading = loadOptions.getParts.call(context({ __rl: true, mode: 'id', value: '999' }));
    await expect(loading).rejects.toThrow('The application 999 cannot be read');
  });
});

describe('the mapper', () => {
  const fields = async (application?: INodeParameters): Promise<ResourceMapperFields> =>
    await resourceMapping.getPartFields.call(context(application));

  test('has the writable parts, with their types and how to fill them', async () => {
    const mapped = (await fields()).fields;
    expect(mapped.map(({ displayName, type }) => [displayName, type])).toEqual([
      ['Title', 'string'],
      ['Text', 'string'],
      ['Kind', 'options'],
      [expect.stringMatching(/^Marks · several of: /), 'string'],
      ['Hours', 'string'],
      ['Due · yyyy-MM-dd', 'string'],
      ['From · HH:mm', 'string'],
      ['Meeting · yyyy-MM-ddTHH:mm', 'string'],
      ['Owner · names or IDs', 'string'],
      ['Team · names or IDs', 'string'],
      ['Files · binary fields', 'string'],
      ['Lines · JSON rows', 'string'],
    ]);
    expect(mapped.map(({ id }) => id)).toContain(place.app.parts.Title);
    expect(mapped.find(({ id }) => id === place.app.parts.Kind)?.options).toEqual(
      [['(Not Sent)', ''], ...['Bug', 'Wish', 'Question'].map((option) => [option, option])].map(
        ([name, value]) => ({ name, value }),
      ),
    );
    expect(mapped.filter(({ canBeUsedToMatch }) => !canBeUsedToMatch).map(({ id }) => id)).toEqual([
      place.app.parts.Files,
      place.app.parts.Lines,
    ]);
  });

  test('accepts other values if the part does', async () => {
    const { fields: customers } = await fields({ __rl: true, mode: 'list', value: '301' });
    expect(customers.find(({ displayName }) => displayName.startsWith('Industry'))?.type).toBe('string');
    expect(customers.map(({ displayName }) => displayName.split(' (')[0])).not.toContain('Last Process');
  });

  test('has no notice if there are fields: n8n would show it under Map Automatically', async () => {
    expect(await fields()).not.toHaveProperty('emptyFieldsNotice');
    const none = await place.sandbox.createApplication({ name: 'Bare', parts: [] });
    expect(await fields({ __rl: true, mode: 'list', value: none.id })).toEqual({
      fields: [],
      emptyFieldsNotice: 'There are no parts that can be written in "Bare".',
    });
  });

  test('says what to do without an application', async () => {
    expect(await fields({ __rl: true, mode: 'list', value: '' })).toEqual({
      fields: [],
      emptyFieldsNotice: expect.stringContaining('select an application from the list') as string,
    });
  });
});

test('labels are listed with their paths, after the groups of the service', async () => {
  const options = await loadOptions.getLabels.call(context());
  expect(options.slice(0, 3)).toEqual([
    { name: 'All Applications', value: 'all' },
    { name: 'Created by Me', value: 'self' },
    { name: 'My Favorites', value: 'favorite' },
  ]);
  expect(names(options)).toContain('Sales / Key Accounts');
});
