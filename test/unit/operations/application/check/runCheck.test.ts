import { Gates } from '../../../../../nodes/ApplicationDataService/service/http/pace/gates';
import { HurriedClock } from '../../../../support/fakeClock';
import { Inquiry } from '../../../../../nodes/ApplicationDataService/operations/application/check/inquiry';
import {
  runCheck,
  type Answered,
} from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import { ApplicationSession } from '../../../../../nodes/ApplicationDataService/service/application/session';
import { fetchApplication } from '../../../../../nodes/ApplicationDataService/service/application/definition';
import { ServiceClient } from '../../../../../nodes/ApplicationDataService/service/http/client';
import {
  ConnectionError,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../../../nodes/ApplicationDataService/service/http/transport';

type Fields = Readonly<Record<string, string>>;

const TITLE = '{{Title}}';
const PARTS = [
  { id: '1', name: 'ID', type: 'id', system: 'on' },
  { id: '101', name: 'Title', type: 'textbox' },
];

/** A service of one application with one text part. */
class Service {
  readonly records = new Map<string, { revision: number; title: string }>();
  readonly writes: string[] = [];
  calls = 0;
  /** Called before each call; may throw. */
  before: (action: string, fields: Fields) => void = () => undefined;

  answer({ body }: ServiceRequest): ServiceResponse {
    const entries = [...body!] as [string, string][];
    const { action = '', ...fields } = Object.fromEntries(entries);
    this.calls += 1;
    this.before(action, fields);
    if (/^(insert|update|delete)/.test(action)) this.writes.push(`${action} ${fields.data_id ?? ''}`.trim());
    const answered = this.answerTo(action, fields);
    const answer = answered === null ? { status: 'ng', errorno: -1 } : { status: 'ok', ...answered };
    return { status: 200, headers: {}, body: answer };
  }

  private answerTo(action: string, fields: Fields): object | null {
    const id = fields.data_id ?? '';
    const record = this.records.get(id);
    switch (action) {
      case 'get_app':
        return fields.app_id === '7'
          ? { id: '7', name: 'A', app_status: 'running', fields: { item: PARTS } }
          : null;
      case 'list_data':
        return { list: { item: [...this.records.keys()].map((each) => this.raw(each)) } };
      case 'count_data':
        return { allcnt: String(this.records.size) };
      case 'get_data':
        return record === undefined ? null : { record: this.raw(id) };
      case 'insert_data':
        this.records.set(String(this.records.size + 1), { revision: 1, title: fields[TITLE]! });
        return { ID: String(this.records.size) };
      case 'update_data':
        if (record === undefined || !['0', String(record.revision)].includes(fields['{{revision}}'] ?? ''))
          return null;
        this.records.set(id, { revision: record.revision + 1, title: fields[TITLE] ?? record.title });
        return { ID: id };
      case 'delete_data':
        return { delete_count: String(id.split(',').filter((each) => this.records.delete(each)).length) };
      default:
        return { list: { item: [] } };
    }
  }

  private raw(id: string): object {
    const { revision, title } = this.records.get(id)!;
    return { ID: { val: id }, Title: { val: title }, revision: { val: String(revision), deny_write: 'on' } };
  }
}

function inquiryOf(service: Service): Inquiry {
  const client = new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    gates: new Gates(new HurriedClock()),
    dataModule: 'appsr.cgi',
    transport: async (request) => await Promise.resolve(service.answer(request)),
    retries: { tries: 2, firstWaitMs: 0, longestWaitMs: 0, sleep: async () => await Promise.resolve() },
  });
  return new Inquiry({
    client,
    clientWithHeader: async () => await Promise.resolve(client),
    headerName: 'X-Service-Auth',
    reference: '7',
    openApplication: async () => new ApplicationSession(client, '7', await fetchApplication(client, '7')),
    writeTest: true,
    timezone: 'UTC',
    now: () => 0,
    mark: 'n8n-check-0123',
  });
}

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
    answer: 'It could not remove these records: 1',
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
