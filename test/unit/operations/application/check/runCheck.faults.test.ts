import {
  connectionFailure,
  type ServiceResponse,
} from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { checkOf, MemoryService } from './support/memoryService';

const WORDS = 'Title of theirs at https://host.example/dneo/';

type Fault = () => ServiceResponse;

const dropped: Fault = () => {
  throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
};
const notConnected: Fault = () => {
  throw connectionFailure({ code: 'ECONNREFUSED' }, 'https://host.example/dneo/');
};
const loginPage: Fault = () =>
  answer(200, `<!doctype html><title>Login</title>${WORDS}<input type="password">`);

/** Faults instead of an answer. */
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

/** Faults after the work. */
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

/** A service with a record and one fault. */
function faulty({ fault, when, strikes }: Strike): MemoryService {
  const service = new MemoryService();
  service.titles.set('1', 'theirs');
  const work = service.answer.bind(service);
  service.answer = (request) => {
    const { action } = Object.fromEntries(request.body as URLSearchParams) as { action: string };
    const isAffected = strikes(service.actions.length + 1, action);
    if (isAffected && when === 'before') {
      service.actions.push(action);
      return fault();
    }
    const done = work(request);
    return isAffected ? fault() : done;
  };
  return service;
}

/** What a check did wrong in a service, if anything. */
async function wrongs(service: MemoryService): Promise<string[]> {
  const answered = await checkOf(service);
  const wrong: string[] = [];
  if (answered.length !== questions) wrong.push(`${answered.length} answers`);
  if (service.actions.some((action) => /^(insert|update|delete)_/.test(action))) wrong.push('wrote');
  if (/theirs|Title|host\.example|n8n-check/.test(JSON.stringify(answered)))
    wrong.push('said what is not public');
  return wrong;
}

const CASES = [
  ...Object.entries(BEFORE).map(([name, fault]) => [name, 'before', fault] as const),
  ...Object.entries(AFTER).map(([name, fault]) => [name, 'after', fault] as const),
];

/** The actions of a check without a fault, in order, and how many questions it answers. */
let actions: readonly string[];
let questions: number;
beforeAll(async () => {
  const service = faulty({ fault: dropped, when: 'before', strikes: () => false });
  questions = (await checkOf(service)).length;
  actions = [...service.actions];
  expect(questions).toBe(20);
});

/** Every fault at every call would take a minute, so each call has one of them. */
test.each(CASES)(
  '%s, %s the work of one call: everything is reported, and nothing is written',
  async (name, when, fault) => {
    const offset = CASES.findIndex((each) => each[0] === name && each[1] === when);
    for (const [index, action] of actions.entries()) {
      if (index % CASES.length !== offset) continue;
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
