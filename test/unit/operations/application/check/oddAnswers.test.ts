import { runCheck } from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import { inquiryOf, MemoryService } from './support/memoryService';

/** The answer to the question that contains these words, from a service with three records. */
async function answerTo(words: string, change: (service: MemoryService) => void) {
  const service = new MemoryService();
  service.titles.set('1', 'Bolt').set('2', 'Nut').set('3', 'Nail');
  change(service);
  const found = (await runCheck(inquiryOf(service))).filter(({ question }) => question.includes(words));
  expect(found).toHaveLength(1);
  return found[0];
}

/** A service whose lists of records hold these items. */
const listing =
  (items: readonly object[]) =>
  (service: MemoryService): void => {
    service.after = (action, answer) =>
      action === 'list_data' ? { ...answer, body: { status: 'ok', list: { item: items } } } : answer;
  };

const record = (id: string) => ({
  ID: { val: id },
  Title: { val: 'x' },
  revision: { val: '1', deny_write: 'on' },
});

test('a list that ignores the order is a problem', async () => {
  const items = ['1', '3', '2'].map(record);
  expect(await answerTo('sorted by ID', listing(items))).toMatchObject({ verdict: 'problem' });
});

test('a list that knows one order only is a problem', async () => {
  const items = ['1', '2', '3'].map(record);
  expect(await answerTo('sorted by ID', listing(items))).toMatchObject({ verdict: 'problem' });
});

test.each([
  [[{ id: '7' }], 'A list of one', 'ok'],
  [{ id: '7' }, 'The item itself', 'handled'],
  [[], 'There is no application', 'unknown'],
  [[{ id: '7' }, { id: '8' }], 'More than was asked for', 'limited'],
])('a list of one application that comes as %j', async (item, answer, verdict) => {
  const odd = (service: MemoryService): void => {
    service.after = (action, given) =>
      action === 'list_apps' ? { ...given, body: { status: 'ok', list: { item } } } : given;
  };
  expect(await answerTo('list of one application', odd)).toMatchObject({ answer, verdict });
});

test.each([
  ['Name', 'No', 'ok'],
  ['Title', '1 key is shared by several parts', 'limited'],
])('a second part that is called %s', async (name, answer, verdict) => {
  const more = (service: MemoryService): void => {
    service.after = (action, given) => {
      const body = given.body as { fields?: { item: readonly object[] } };
      if (action !== 'get_app' || body.fields === undefined) return given;
      const item = [...body.fields.item, { id: '102', name, type: 'textbox' }];
      return { ...given, body: { ...body, fields: { item } } };
    };
  };
  expect(await answerTo('share', more)).toMatchObject({ answer, verdict });
});
