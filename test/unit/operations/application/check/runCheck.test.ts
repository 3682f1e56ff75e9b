import { runCheck } from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import { connectionFailure } from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { inquiryOf, MemoryService } from './support/memoryService';

let service: MemoryService;
beforeEach(() => {
  service = new MemoryService();
  service.titles.set('1', 'Bolt').set('2', 'Nut');
});

test('a service that stops answering gets no further questions', async () => {
  let gone = Infinity;
  service.before = (action) => {
    if (action === 'count_data') gone = Math.min(gone, service.actions.length);
    if (service.actions.length > gone)
      throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  };
  const answered = await runCheck(inquiryOf(service));
  const rest = answered.filter(({ answer }) => answer === 'Not asked: the service stopped answering');
  expect(rest.length).toBeGreaterThan(30);
  expect(service.actions.length - gone).toBeLessThan(10);
});

test('if a service stops answering while the application is read, nothing is said about the application', async () => {
  let isGone = false;
  service.before = (action) => {
    isGone ||= action === 'get_app';
    if (isGone) throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  };
  const answered = await runCheck(inquiryOf(service));
  expect(answered.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect(answered.filter(({ answer }) => answer.startsWith('It cannot be read'))).toEqual([]);
});

test('one kind of call that fails does not end the check', async () => {
  service.after = (action, answer) => {
    if (action === 'list_data') throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
    return answer;
  };
  const answers = (await runCheck(inquiryOf(service))).map(({ answer }) => answer);
  expect(answers).not.toContain('Not asked: the service stopped answering');
  expect(answers).toContain('It could not be asked: the connection was lost');
});

test('what a small application cannot show stays open', async () => {
  const answers = (await runCheck(inquiryOf(service))).map(({ answer, verdict }) => [answer, verdict]);
  expect(answers).toContainEqual(['This application has fewer than 50 parts', 'unknown']);
});

test('a cancelled execution ends the check', async () => {
  service.before = (action) => {
    if (action === 'count_data')
      throw connectionFailure({ code: 'ERR_CANCELED' }, 'https://host.example/dneo/');
  };
  await expect(runCheck(inquiryOf(service))).rejects.toMatchObject({ kind: 'cancelled' });
  expect(service.actions.at(-1)).toBe('count_data');
});
