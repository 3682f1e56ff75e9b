import { connectionFailure } from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { checkOf, MemoryService } from './support/memoryService';

let service: MemoryService;
beforeEach(() => {
  service = new MemoryService();
  service.titles.set('1', 'Bolt').set('2', 'Nut');
});

test('one call is made after the other', async () => {
  await checkOf(service);
  expect(service.atOnce).toBe(1);
});

test('a service that stops answering gets no further questions', async () => {
  let gone = Infinity;
  service.before = (action) => {
    if (action === 'count_data') gone = Math.min(gone, service.actions.length);
    if (service.actions.length > gone)
      throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  };
  const answers = (await checkOf(service)).map(({ answer }) => answer);
  expect(answers.filter((answer) => answer === 'Not asked: the service stopped answering')).toHaveLength(11);
  expect(service.actions.length - gone).toBeLessThan(10);
});

test('if a service stops answering while the application is read, nothing is said about the application', async () => {
  let isGone = false;
  service.before = (action) => {
    isGone ||= action === 'get_app';
    if (isGone) throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  };
  const verdicts = (await checkOf(service)).map(({ verdict }) => verdict);
  expect(verdicts).not.toContain('problem');
});

test('one kind of call that fails does not end the check', async () => {
  service.before = (action) => {
    if (action === 'list_data') throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  };
  const answered = await checkOf(service);
  const answers = answered.map(({ answer }) => answer);
  expect(answers).not.toContain('Not asked: the service stopped answering');
  expect(answers).toContain('It could not be asked: lost');
  expect(answered.find(({ question }) => question.includes('count'))).toMatchObject({ answer: 'Yes' });
});

test.each([
  ['a keyword that is ignored', 'empty list', 'No: a keyword that nothing holds finds something', 'limited'],
  ['a list that cannot be sorted', 'be sorted', 'No: both orders are the same (Text (one line))', 'limited'],
  [
    'a condition that is ignored',
    'Contains',
    'No: it finds other values as well (Text (one line))',
    'problem',
  ],
  ['a list that ends early', '5000 records', 'No: fewer', 'limited'],
  ['numbers in another form', 'form of numbers', 'No (Number). Yes (ID)', 'limited'],
])('%s', async (_, words, answer, verdict) => {
  const bare = { ID: { val: '3' }, Sum: { val: 'many' }, revision: { val: '1', deny_write: 'on' } };
  if (words === 'form of numbers')
    service.after = (action, given) =>
      action === 'list_data' ? { ...given, body: { status: 'ok', list: { item: [bare] } } } : given;
  if (words === '5000 records')
    service.after = (action, given) =>
      action === 'count_data' ? { ...given, body: { status: 'ok', allcnt: '9' } } : given;
  service.titles.set('3', 'Nail');
  const answered = await checkOf(service);
  expect(answered.find(({ question }) => question.includes(words))).toMatchObject({
    answer: expect.stringContaining(answer) as string,
    verdict,
  });
});

test.each(['list_apps', 'get_app', 'list_data', 'count_data'])(
  'a cancelled execution ends the check, at %s',
  async (cancelled) => {
    service.before = (action) => {
      if (action === cancelled)
        throw connectionFailure({ code: 'ERR_CANCELED' }, 'https://host.example/dneo/');
    };
    await expect(checkOf(service)).rejects.toMatchObject({ kind: 'cancelled' });
    expect(service.actions.at(-1)).toBe(cancelled);
  },
);
