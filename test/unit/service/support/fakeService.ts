import type { Part } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';
import { Limiters } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/retry';
import { ApplicationSession } from '../../../../nodes/ApplicationDataService/service/application/session';
import { connectionFailure } from '../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../support/fakeClock';
import { makePart } from '../../parts/support/parts';

/** The service's answer to one call: the keys of a successful answer, a refusal, or a lost connection. */
export type Reply = Readonly<Record<string, unknown>> | 'refused' | 'lost' | 'unauthorized';

export type Call = Readonly<Record<string, string>>;

/** An application of a service that is only a function, for cases in which the sandbox is too slow or too correct. */
export class FakeService {
  readonly calls: Call[] = [];
  /** The waits in milliseconds. */
  readonly waits: number[] = [];
  readonly app: ApplicationSession;
  /** The answer of `get_app`. */
  definition: Readonly<Record<string, unknown>> = { id: '301', name: 'Goods', app_status: 'running' };

  constructor(parts: readonly Part[], answer: (call: Call) => Reply) {
    const client = new ServiceClient({
      base: new URL('https://host.example/dneo/'),
      dataModule: 'appsr.cgi',
      limiters: new Limiters(new HurriedClock()),
      retries: { ...RETRIES, sleep: async (ms) => await Promise.resolve(void this.waits.push(ms)) },
      transport: async ({ body }) => {
        const call = Object.fromEntries(body as URLSearchParams) as Call;
        this.calls.push(call);
        if (call.action === 'get_app')
          return { status: 200, headers: {}, body: { status: 'ok', ...this.definition } };
        const reply = await Promise.resolve(answer(call));
        if (reply === 'lost') throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
        if (reply === 'unauthorized') return { status: 401, headers: {}, body: '' };
        const said =
          reply === 'refused'
            ? { status: 'ng', errorno: -1, errormessage: 'no' }
            : { status: 'ok', ...reply };
        return { status: 200, headers: {}, body: said };
      },
    });
    this.app = new ApplicationSession(client, '301', {
      id: '301',
      name: 'Goods',
      status: 'running',
      overview: '',
      portalIcon: '',
      palletMenuIcon: '',
      parts: [makePart('id', { id: '1', name: 'ID', system: true, readOnly: true }), ...parts],
      raw: {},
    });
  }

  /** Calls of one action. */
  of(action: string): Call[] {
    return this.calls.filter((call) => call.action === action);
  }
}

/** One record or row value as the service returns it. */
export const val = (value: unknown): { val: unknown } => ({ val: value });
