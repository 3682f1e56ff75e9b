import { Inquiry } from '../../../../../../nodes/ApplicationDataService/operations/application/check/inquiry';
import { fetchApplication } from '../../../../../../nodes/ApplicationDataService/service/application/definition';
import { ApplicationSession } from '../../../../../../nodes/ApplicationDataService/service/application/session';
import { ServiceClient } from '../../../../../../nodes/ApplicationDataService/service/http/client';
import { Gates } from '../../../../../../nodes/ApplicationDataService/service/http/pace/gates';
import type {
  ServiceRequest,
  ServiceResponse,
} from '../../../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../../../support/fakeClock';

export type Fields = Readonly<Record<string, string>>;

/** A record as the service stores it. */
interface Kept {
  revision: number;
  title: string;
  rows: readonly { readonly data_id: string; readonly Item: string; readonly Remark: string }[];
}

const TITLE = '{{Title}}';
const LINES = '{{Lines}}';
const PARTS = [
  { id: '1', name: 'ID', type: 'id', system: 'on' },
  { id: '101', name: 'Title', type: 'textbox' },
  {
    id: '102',
    name: 'Lines',
    type: 'input_list',
    child: {
      list: {
        item: [
          { id: '103', name: 'Item', type: 'textbox' },
          { id: '104', name: 'Remark', type: 'textbox' },
        ],
      },
    },
  },
];

/** A service of one application with one text part and a table part. It uses the ID after the largest one for a new record. */
export class MemoryService {
  readonly records = new Map<string, Kept>();
  readonly writes: string[] = [];
  calls = 0;
  private rows = 0;
  /** Called before each call; may throw. */
  before: (action: string, fields: Fields) => void = () => undefined;
  /** Replaces the answer to a call that was processed; may throw. */
  after: (action: string, answer: ServiceResponse) => ServiceResponse = (_action, answer) => answer;

  answer({ body }: ServiceRequest): ServiceResponse {
    const entries = [...body!] as [string, string][];
    const { action = '', ...fields } = Object.fromEntries(entries);
    this.calls += 1;
    this.before(action, fields);
    if (/^(insert|update|delete)/.test(action)) this.writes.push(`${action} ${fields.data_id ?? ''}`.trim());
    const answered = this.answerTo(action, fields);
    const answer = answered === null ? { status: 'ng', errorno: -1 } : { status: 'ok', ...answered };
    return this.after(action, { status: 200, headers: {}, body: answer });
  }

  /** Adds a record, as any user may. */
  add(title: string): string {
    const id = String(Math.max(0, ...[...this.records.keys()].map(Number)) + 1);
    this.records.set(id, { revision: 1, title, rows: [] });
    return id;
  }

  private answerTo(action: string, fields: Fields): object | null {
    const id = fields.data_id ?? '';
    switch (action) {
      case 'get_app':
        return fields.app_id === '7'
          ? { id: '7', name: 'A', app_status: 'running', fields: { item: PARTS } }
          : null;
      case 'list_data':
        return { list: { item: [...this.records.keys()].reverse().map((each) => this.raw(each)) } };
      case 'count_data':
        return { allcnt: String(this.records.size) };
      case 'get_data':
        return this.records.has(id) ? { record: this.raw(id) } : null;
      case 'insert_data':
        return { ID: this.add(fields[TITLE]!) };
      case 'update_data':
        return this.update(id, fields);
      case 'delete_data':
        return { delete_count: String(id.split(',').filter((each) => this.records.delete(each)).length) };
      default:
        return { list: { item: [] } };
    }
  }

  private update(id: string, fields: Fields): object | null {
    const record = this.records.get(id);
    if (record === undefined || !['0', String(record.revision)].includes(fields['{{revision}}'] ?? ''))
      return null;
    record.revision += 1;
    record.title = fields[TITLE] ?? record.title;
    const sent = JSON.parse(fields[LINES] ?? 'null') as Kept['rows'] | null;
    record.rows =
      sent?.map((row) => ({ ...row, data_id: row.data_id ?? String(++this.rows) })) ?? record.rows;
    return { ID: id };
  }

  private raw(id: string): object {
    const { revision, title, rows } = this.records.get(id)!;
    const item = rows.map((row) => ({
      data_id: row.data_id,
      Item: { val: row.Item },
      Remark: { val: row.Remark },
    }));
    return {
      ID: { val: id },
      Title: { val: title },
      Lines: { val: { child_records: { item } } },
      revision: { val: String(revision), deny_write: 'on' },
    };
  }
}

/** A check of the service, with a write test, whose waits take no time. */
export function inquiryOf(service: MemoryService): Inquiry {
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
