import type { ILoadOptionsFunctions, INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { Engine } from '../support/engine';
import type { ApplicationDefinition } from '../support/sandbox';
import { numberedTickets, tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

const { listSearch } = new ApplicationDataService().methods;

const place = useWorkplace(null);
const open = async (more: Partial<ApplicationDefinition> = {}) => await place.open(tickets(more));
let engine: Engine;
beforeEach(() => (engine = place.engine));

function context(application: INodeParameters | undefined): ILoadOptionsFunctions {
  const chosen = application ?? { __rl: true, mode: 'list', value: place.app.id };
  return engine.editor({ resource: 'record', operation: 'get', application: chosen });
}

async function search(
  filter?: string,
  token?: string,
  application?: INodeParameters,
): Promise<INodeListSearchResult> {
  return await listSearch.searchRecords.call(context(application), filter, token);
}

async function ids(filter?: string): Promise<unknown[]> {
  return (await search(filter)).results.map(({ value }) => value);
}

test('records are listed newest first, by their first texts and their ID', async () => {
  await open();
  expect(await search()).toEqual({
    results: [
      { name: '=1+2 · Bug · -3 (3)', value: '3' },
      { name: 'Beta · Wish · 20 (2)', value: '2' },
      { name: 'Acme Engineering · Bug · 1.5 (1)', value: '1' },
    ],
  });
});

test('a record is shown by what the user may see, people by name, and a record without texts by its ID', async () => {
  await open({ records: [{ Owner: ['1001'], Title: ' \n ' }, {}, { Title: 'x'.repeat(60), Kind: 'Bug' }] });
  const names = (await search()).results.map(({ name }) => name);
  expect(names).toEqual([`${'x'.repeat(39)}… · Bug (3)`, '(2)', 'Aiko Mori (1)']);
  await place.sandbox.setUser('1050', {
    name: 'Reader',
    accessKey: 'reader',
    rights: { [place.app.id]: { access: true, parts: { Title: 'none' } } },
  });
  engine = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'reader' });
  expect((await search()).results[0]?.name).toBe('Bug (3)');
});

test('a keyword is searched in every searchable part, also in those that are not shown', async () => {
  await open();
  expect(await ids('steel')).toEqual(['2']);
  expect(await ids('a.txt')).toEqual(['1']);
  expect(await ids('no such thing')).toEqual([]);
});

test.each(['name', 'identifier'])('by %s', async (mode) => {
  await open({
    partIdentifierMode: mode === 'identifier',
    systemIdentifiers: { id: 'record_id' },
  });
  expect((await search('Beta')).results).toEqual([{ name: 'Beta · Wish · 20 (2)', value: '2' }]);
});

test('an application without records has an empty list, in every dialect', async () => {
  await open({ records: [] });
  for (const emptyList of ['array', 'error', 'emptyString', 'noItem', 'noList']) {
    await place.sandbox.setDialect({ emptyList });
    expect(await search()).toEqual({ results: [] });
  }
});

describe('a number', () => {
  beforeEach(async () => {
    const titles = ['3 bolts', 'nuts', 'screws', '3 nails', '', '33'];
    await open({ records: titles.map((Title) => ({ Title })) });
  });

  test('is a keyword, and also finds the record with that ID', async () => {
    expect(await ids('3')).toEqual(['6', '4', '3', '1']);
    expect(await ids('2')).toEqual(['2']);
    expect(await ids('５')).toEqual(['5']);
    expect(await ids('05')).toEqual(['5']);
  });

  test('finds it once', async () => {
    await place.sandbox.addRecords(place.app.id, [{ Title: '7 hooks' }]);
    expect(await ids('7')).toEqual(['7']);
  });

  test('that is not an ID is only a keyword', async () => {
    expect(await ids('33')).toEqual(['6']);
  });
});

test('many are listed page by page, each once', async () => {
  await open({ records: numberedTickets(120) });
  const pages: INodeListSearchResult[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const page: INodeListSearchResult = await search('T', token === '' ? undefined : token);
    pages.push(page);
    token = page.paginationToken;
  }
  const all = pages.flatMap(({ results }) => results.map(({ value }) => value));
  expect(pages).toHaveLength(3);
  expect(all).toEqual(Array.from({ length: 120 }, (_, index) => String(120 - index)));
});

test('a number that is found by ID does not appear again on a later page', async () => {
  await open({ records: numberedTickets(120).map((ticket) => ({ ...ticket, Title: '5' })) });
  const first = await search('5');
  const second = await search('5', String(first.paginationToken));
  const third = await search('5', String(second.paginationToken));
  const all = [first, second, third].flatMap(({ results }) => results.map(({ value }) => value));
  expect(all).toHaveLength(120);
  expect(all.filter((id) => id === '5')).toHaveLength(1);
});

test('without an application, the list says what to choose first', async () => {
  await open();
  for (const value of ['', '={{ $json.app }}']) {
    const listing = search(undefined, undefined, { __rl: true, mode: 'list', value });
    await expect(listing).rejects.toThrow('the application is not selected yet');
  }
});
