import { runCheck } from '../../../../../../nodes/ApplicationDataService/operations/application/check.operation';
import { Inquiry } from '../../../../../../nodes/ApplicationDataService/operations/application/check/inquiry';
import { fetchApplication } from '../../../../../../nodes/ApplicationDataService/service/application/definition';
import { ApplicationSession } from '../../../../../../nodes/ApplicationDataService/service/application/session';
import { ServiceClient } from '../../../../../../nodes/ApplicationDataService/service/http/client';
import { Limiters } from '../../../../../../nodes/ApplicationDataService/service/http/limiter';
import type {
  ServiceRequest,
  ServiceResponse,
} from '../../../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../../../support/fakeClock';

export type Fields = Readonly<Record<string, string>>;

const PARTS = [
  { id: '1', name: 'ID', type: 'id', system: 'on' },
  { id: '101', name: 'Title', type: 'textbox' },
  { id: '102', name: 'Sum', type: 'number' },
];

/** A service that keeps titles in memory. */
export class MemoryService {
  readonly titles = new Map<string, string>();
  readonly actions: string[] = [];
  /** How many calls were under way at the same time, at most. */
  atOnce = 0;
  private underWay = 0;
  /** Called before each call; may throw. */
  before: (action: string, fields: Fields) => void = () => undefined;
  /** Replaces the answer to a call that was processed; may throw. */
  after: (action: string, answer: ServiceResponse) => ServiceResponse = (_action, answer) => answer;

  async receive(request: ServiceRequest): Promise<ServiceResponse> {
    this.atOnce = Math.max(this.atOnce, ++this.underWay);
    try {
      await Promise.resolve();
      return this.answer(request);
    } finally {
      this.underWay -= 1;
    }
  }

  answer({ body }: ServiceRequest): ServiceResponse {
    const entries = [...body!] as [string, string][];
    const { action = '', ...fields } = Object.fromEntries(entries);
    this.actions.push(action);
    this.before(action, fields);
    const answered = this.answerTo(action, fields);
    const answer = answered === null ? { status: 'ng', errorno: -1 } : { status: 'ok', ...answered };
    return this.after(action, { status: 200, headers: {}, body: answer });
  }

  private answerTo(action: string, fields: Fields): object | null {
    const id = fields.data_id ?? '';
    switch (action) {
      case 'get_app':
        return fields.app_id === '7'
          ? { id: '7', name: 'A', app_status: 'running', fields: { item: PARTS } }
          : null;
      case 'list_data':
        return { list: { item: [...this.titles.keys()].reverse().map((each) => this.raw(each)) } };
      case 'count_data':
        return { allcnt: String(this.titles.size) };
      case 'get_data':
        return this.titles.has(id) ? { record: this.raw(id) } : null;
      default:
        return { list: { item: [] } };
    }
  }

  private raw(id: string): object {
    return {
      ID: { val: id },
      Title: { val: this.titles.get(id) },
      revision: { val: '1', deny_write: 'on' },
    };
  }
}

/** The answers of a check of the service, whose waits take no time. */
export async function checkOf(service: MemoryService): ReturnType<typeof runCheck> {
  const client = new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    limiters: new Limiters(new HurriedClock()),
    dataModule: 'appsr.cgi',
    transport: async (request) => await service.receive(request),
    retries: {
      tries: 2,
      firstWaitMs: 0,
      timeoutMs: 1000,
      sleep: async () => await Promise.resolve(),
    },
  });
  const open = async (): Promise<ApplicationSession> =>
    new ApplicationSession(client, '7', await fetchApplication(client, '7'));
  return await runCheck(new Inquiry(client, 'UTC'), open);
}
