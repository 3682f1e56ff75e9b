import {
  runCheck,
  type Answered,
} from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import { ConnectionError } from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { inquiryOf, Service } from './support/service';

const lastOf = (answered: readonly Answered[]): Answered =>
  answered.find(({ question }) => question.includes('leave a record behind'))!;

let service: Service;
beforeEach(() => {
  service = new Service();
});

test('a service that behaves is left as it was', async () => {
  const answered = await runCheck(inquiryOf(service));
  expect(service.records.size).toBe(0);
  expect(service.writes.filter((write) => write === 'insert_data')).toHaveLength(3);
  expect(lastOf(answered)).toMatchObject({ verdict: 'ok', answer: 'No' });
});

test('a service that stops answering is not asked all the rest, and what is left there is named', async () => {
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

test('a service that stops answering when the application is read says nothing about the application', async () => {
  let isGone = false;
  service.before = (action) => {
    isGone ||= action === 'get_app';
    if (isGone) throw new ConnectionError('ECONNRESET', false);
  };
  const answered = await runCheck(inquiryOf(service));
  expect(answered.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect(answered.filter(({ answer }) => answer.startsWith('It cannot be read'))).toEqual([]);
});

test('a record that does not hold its mark is neither changed nor removed', async () => {
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

test('a record that loses its mark on the way is not touched any more', async () => {
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

test('a cancelled execution ends the check, and cleaning up says what is left', async () => {
  service.before = (action) => {
    if (action === 'update_data') throw new ConnectionError('ERR_CANCELED', false);
  };
  const inquiry = inquiryOf(service);
  // A write that is broken off may have been done; what comes next is a read.
  service.before = () => {
    if (service.writes.some((write) => write.startsWith('update')))
      throw new ConnectionError('ERR_CANCELED', false);
  };
  await expect(runCheck(inquiry)).rejects.toMatchObject({ kind: 'cancelled' });
  expect(await inquiry.cleanUp()).toEqual({ ids: ['1', '2'], untraced: false });
});

test('the ID of a deleted test record is not named once somebody else has it', async () => {
  let looksLeft = Infinity;
  service.before = (action, { data_id: id }) => {
    if (id === '2,3') looksLeft = 2;
    // The application is looked at once for each of the two, to see that they are gone.
    if (action === 'get_app') looksLeft -= 1;
    else if (looksLeft === 0 && !service.records.has('2')) service.add('theirs');
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

test('one kind of call that fails by itself does not end the check', async () => {
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

test('a record whose answer and ID were lost by a cancelled execution is not kept quiet', async () => {
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
