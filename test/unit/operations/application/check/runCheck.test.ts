import { runCheck } from '../../../../../nodes/ApplicationDataService/operations/application/check.operation';
import { Inquiry } from '../../../../../nodes/ApplicationDataService/operations/application/check/inquiry';
import { makePart } from '../../../parts/support/parts';
import { applicationOf, type Said, val } from '../../../service/support/preparedClient';

const parts = [
  makePart('textbox', { id: '101', name: 'Title' }),
  makePart('number', { id: '102', name: 'Sum' }),
];
const titled = ['Bolt', 'Nut', 'Nail'].map((title, index) => ({
  ...{ ID: val(String(index + 1)), Title: val(title), revision: { val: '1', deny_write: 'on' } },
}));
const bare = { ID: val('3'), Sum: val('many'), revision: { val: '1', deny_write: 'on' } };

/** What the sandbox never does; the rest stands in test/engine/application.check. The service ignores what a list asks. */
test.each([
  ['a keyword that is ignored', 'empty list', 'No: a keyword that nothing holds finds something', 'limited'],
  ['a list that cannot be sorted', 'be sorted', 'No: both orders are the same (Text (one line))', 'limited'],
  ['a condition ignored', 'Contains', 'No: it finds other values as well (Text (one line))', 'problem'],
  ['a list that ends early', '5000 records', 'No: fewer', 'limited'],
  ['numbers in another form', 'form of numbers', 'No (Number). Yes (ID)', 'limited'],
])('%s', async (name, words, answer, verdict) => {
  const item = name.startsWith('numbers') ? [bare] : titled;
  const { app } = applicationOf(parts, ({ action }): Said => {
    if (action === 'count_data') return { allcnt: name.includes('early') ? '9' : '3' };
    return action === 'get_data' ? { record: item[0] } : { list: { item } };
  });
  const answered = await runCheck(new Inquiry(app.client, 'UTC'), async () => await Promise.resolve(app));
  expect(answered.find(({ question }) => question.includes(words))).toMatchObject({
    answer: expect.stringContaining(answer) as string,
    verdict,
  });
});
