import {
  runCheck,
  type Answered,
} from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import { ConnectionError } from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { inquiryOf, MemoryService } from './support/memoryService';

const lastOf = (answered: readonly Answered[]): Answered =>
  answered.find(({ question }) => question.includes('leave a record behind'))!;

let service: MemoryService;
beforeEach(() => {
  service = new MemoryService();
});

test('a service that works correctly is left unchanged', async () => {
  const answered = await runCheck(inquiryOf(service));
  expect(service.records.size).toBe(0);
  expect(service.writes.filter((write) => write === 'insert_data')).toHaveLength(3);
  expect(lastOf(answered)).toMatchObject({ verdict: 'ok', answer: 'No' });
});

test('a service that stops answering gets no further questions, and what remains there is named', async () => {
  let gone = Infinity;
  service.before = (action) => {
    if (action === 'update_data') gone = Math.min(gone, service.calls);
    if (service.calls > gone) throw new ConnectionError('ECONNRESET', false);
  };
  const answered = await runCheck(inquiryOf(service));
  const rest = answered.filter(({ answer }) => answer === 'Not asked: the service stopped answering');
  expect(rest.length).toBeGreaterThan(40);
  expect(service.calls - gone).toBeLessThan(30);
  expect([...service.records.keys()]).toEqual(['1', '2']);
  expect(lastOf(answered)).toMatchObject({
    verdict: 'problem',
    answer: 'It could not remove these records: 1, 2',
  });
});

test('if a service stops answering while the application is read, nothing is said about the application', async () => {
  let isGone = false;
  service.before = (action) => {
    isGone ||= action === 'get_app';
    if (isGone) throw new ConnectionError('ECONNRESET', false);
  };
  const answered = await runCheck(inquiryOf(service));
  expect(answered.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect(answered.filter(({ answer }) => answer.startsWith('It cannot be read'))).toEqual([]);
});

test('a record that does not contain its mark is neither changed nor removed', async () => {
  service.before = (action) => {
    if (action !== 'get_data') return;
    for (const record of service.records.values()) record.title = "somebody's own";
  };
  const answered = await runCheck(inquiryOf(service));
  expect(service.writes).toEqual(['insert_data']);
  expect(lastOf(answered)).toMatchObject({
    verdict: 'problem',
    answer: 'It could not remove these records: 1; there may be another one whose ID is not known',
  });
});

test('a record that loses its mark in between is not changed any more', async () => {
  let lost = false;
  service.before = (_action, { data_id: id = '' }) => {
    const record = service.records.get('1');
    if (record === undefined || (!lost && record.revision < 4)) return;
    lost = true;
    record.title = "somebody's own";
    expect([id, service.writes.at(-1)]).not.toEqual(['1', 'delete_data 1']);
  };
  const answered = await runCheck(inquiryOf(service));
  expect(service.records.get('1')).toMatchObject({ title: "somebody's own", revision: 4 });
  expect([...service.records.keys()]).toEqual(['1']);
  expect(lastOf(answered)).toMatchObject({ answer: 'It could not remove these records: 1' });
});

test('a cancelled execution ends the check, and the report of the clean-up names what remains', async () => {
  service.before = (action) => {
    if (action === 'update_data') throw new ConnectionError('ERR_CANCELED', false);
  };
  const inquiry = inquiryOf(service);
  // A write that was aborted may have been done; the next call is a read.
  service.before = () => {
    if (service.writes.some((write) => write.startsWith('update')))
      throw new ConnectionError('ERR_CANCELED', false);
  };
  await expect(runCheck(inquiry)).rejects.toMatchObject({ kind: 'cancelled' });
  expect(await inquiry.cleanUp()).toEqual({ ids: ['1', '2'], untraced: false });
});

test("the ID of a deleted test record is not named if somebody else's record has it now", async () => {
  let readsLeft = Infinity;
  service.before = (action, { data_id: id }) => {
    if (id === '2,3') readsLeft = 2;
    // The application is read once for each of the two, to check that they were deleted.
    if (action === 'get_app') readsLeft -= 1;
    else if (readsLeft === 0 && !service.records.has('2')) service.add('theirs');
  };
  const answered = await runCheck(inquiryOf(service));
  expect([...service.records.values()]).toMatchObject([{ title: 'theirs', revision: 1 }]);
  expect(service.writes.filter((write) => /delete_data .*[23]/.test(write))).toEqual(['delete_data 2,3']);
  expect(answered.find(({ question }) => question.includes('also names a deleted record'))).toMatchObject({
    verdict: 'unknown',
    answer: 'Not asked: the ID of a deleted test record is in use again, so it is not named',
  });
});

test('a record that the service refused, but added, is found and removed', async () => {
  service.after = (action, answer) =>
    action === 'insert_data' ? { ...answer, body: { status: 'ng', errorno: -1 } } : answer;
  const answered = await runCheck(inquiryOf(service));
  expect(service.writes.filter((write) => write === 'insert_data')).not.toEqual([]);
  expect(service.records.size).toBe(0);
  expect(lastOf(answered)).toMatchObject({ verdict: 'ok' });
});

test('one kind of call that fails does not end the check', async () => {
  service.after = (action, answer) => {
    if (action === 'list_data') throw new ConnectionError('ECONNRESET', false);
    return answer;
  };
  const answered = await runCheck(inquiryOf(service));
  const answers = answered.map(({ answer }) => answer);
  expect(answers).not.toContain('Not asked: the service stopped answering');
  expect(answers).toContain('It could not be asked: the connection was lost');
  expect(service.records.size).toBe(0);
});

test('a record whose answer and ID were lost by a cancelled execution is reported', async () => {
  service.after = (action, answer) => {
    if (action === 'insert_data') service.before = cancelled;
    return service.before === cancelled ? cancelled() : answer;
  };
  const inquiry = inquiryOf(service);
  await expect(runCheck(inquiry)).rejects.toMatchObject({ kind: 'cancelled' });
  expect(service.records.size).toBe(1);
  expect(await inquiry.cleanUp()).toEqual({ ids: [], untraced: true });
});

function cancelled(): never {
  throw new ConnectionError('ERR_CANCELED', false);
}
