import { QUESTIONS } from '../../../../../nodes/ApplicationDataService/operations/application/check/questions';
import {
  runCheck,
  type Answered,
} from '../../../../../nodes/ApplicationDataService/operations/application/check/runCheck';
import {
  ConnectionError,
  type ServiceResponse,
} from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { inquiryOf, MemoryService } from './support/memoryService';

const WORDS = 'Title of theirs at https://host.example/dneo/';

type Fault = () => ServiceResponse;

const dropped: Fault = () => {
  throw new ConnectionError('ECONNRESET', false);
};
const notConnected: Fault = () => {
  throw new ConnectionError('ECONNREFUSED', true);
};
const loginPage: Fault = () =>
  answer(200, `<!doctype html><title>Login</title>${WORDS}<input type="password">`);

/** Faults before the work, which is not done then. */
const BEFORE: Readonly<Record<string, Fault>> = {
  dropped,
  notConnected,
  loginPage,
  refused: () => answer(200, { status: 'ng', errorno: -9, errormessage: WORDS, errmsgadd: '{{Title}}' }),
  noMatch: () => answer(200, { status: 'ng', errorno: -110, errormessage: WORDS }),
  gateway: () => answer(502, WORDS),
  busy: () => answer(429, WORDS),
  unauthorized: () => answer(401, ''),
  notFound: () => answer(404, WORDS),
  redirect: () => answer(302, ''),
};

/** Faults after the work, which was done nevertheless. */
const AFTER: Readonly<Record<string, Fault>> = {
  dropped,
  loginPage,
  failed: () => answer(500, WORDS),
  gateway: () => answer(502, WORDS),
  cut: () => answer(200, '{"status":"ok","rec'),
  bare: () => answer(200, { status: 'ok' }),
  anotherId: () => answer(200, { status: 'ok', ID: '1', record: {}, list: { item: '' } }),
};

function answer(status: number, body: unknown): ServiceResponse {
  return { status, headers: {}, body };
}

interface Strike {
  readonly fault: Fault;
  readonly when: 'before' | 'after';
  readonly strikes: (call: number, action: string) => boolean;
}

/** A service with somebody's record and one fault. */
function faulty({ fault, when, strikes }: Strike): MemoryService {
  const service = new MemoryService();
  service.add('theirs');
  let action = '';
  const work = service.answer.bind(service);
  service.answer = (request) => {
    action = (Object.fromEntries(request.body as URLSearchParams) as { action: string }).action;
    const isAffected = strikes(service.calls + 1, action);
    if (isAffected && when === 'before') {
      service.calls += 1;
      return fault();
    }
    const done = work(request);
    return isAffected ? fault() : done;
  };
  return service;
}

/** What a check did wrong in a service, if anything. */
async function wrongs(service: MemoryService): Promise<string[]> {
  const answered = await runCheck(inquiryOf(service));
  const wrong: string[] = [];
  if (answered.length !== QUESTIONS.length) wrong.push(`${answered.length} answers`);
  const theirs = service.records.get('1');
  if (theirs?.title !== 'theirs' || theirs.revision !== 1) wrong.push('touched a record of somebody');
  if (service.writes.some((write) => /^(update|delete)_data (.*,)?1(,|$)/.test(write)))
    wrong.push('named a record of somebody');
  const left = [...service.records.keys()].filter((id) => id !== '1');
  const said = lastOf(answered);
  const isSaid = left.every((id) => said.answer.includes(id)) || said.answer.includes('not known');
  if (left.length > 0 && !(isSaid && said.verdict === 'problem'))
    wrong.push(`left ${left.join()} and said ${said.answer}`);
  if (service.writes.filter((write) => write === 'insert_data').length > 3) wrong.push('added too many');
  if (/theirs|Title|Lines|Remark|host\.example|0123/.test(JSON.stringify(answered)))
    wrong.push('said what is not public');
  return wrong;
}

const lastOf = (answered: readonly Answered[]): Answered =>
  answered.find(({ question }) => question.includes('leave a record behind'))!;

const CASES = [
  ...Object.entries(BEFORE).map(([name, fault]) => [name, 'before', fault] as const),
  ...Object.entries(AFTER).map(([name, fault]) => [name, 'after', fault] as const),
];

/** The actions of a check without a fault, in order. */
let actions: string[];
beforeAll(async () => {
  actions = [];
  const note = (_call: number, action: string): boolean => actions.push(action) === 0;
  expect(await wrongs(faulty({ fault: dropped, when: 'before', strikes: note }))).toEqual([]);
});

/**
 * Every fault at every call would take a minute. So each call has one of them, and those that add and delete have all.
 */
test.each(CASES)(
  '%s, %s the work of one call: everything is reported, and nothing else is changed',
  async (name, when, fault) => {
    const offset = CASES.findIndex((each) => each[0] === name && each[1] === when);
    for (const [index, action] of actions.entries()) {
      if (index % CASES.length !== offset && !/^(insert|delete)/.test(action)) continue;
      const service = faulty({ fault, when, strikes: (call) => call === index + 1 });
      expect([index, action, await wrongs(service)]).toEqual([index, action, []]);
    }
  },
);

test.each(CASES)('%s, %s the work of all later calls of a kind', async (name, when, fault) => {
  const offset = CASES.findIndex((each) => each[0] === name && each[1] === when);
  for (const [index, kind] of [...new Set(actions), ''].entries()) {
    const from = ((offset + index) * 7) % actions.length;
    const strikes = (call: number, action: string): boolean =>
      call > from && (kind === '' || action === kind);
    const service = faulty({ fault, when, strikes });
    expect([kind, from, await wrongs(service)]).toEqual([kind, from, []]);
  }
});
