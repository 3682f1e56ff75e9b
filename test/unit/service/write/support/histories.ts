import type { WriteValue } from '../../../../../nodes/ApplicationDataService/parts/model/part';
import { ApplicationSession } from '../../../../../nodes/ApplicationDataService/service/application/session';
import {
  isIndeterminate,
  ServiceError,
} from '../../../../../nodes/ApplicationDataService/service/http/errors';
import type { FileContent } from '../../../../../nodes/ApplicationDataService/service/http/multipart';
import { insertRecord } from '../../../../../nodes/ApplicationDataService/service/write/insert';
import type { Update } from '../../../../../nodes/ApplicationDataService/service/write/update';
import {
  type Checkpoint,
  type Done,
  writeRecord,
} from '../../../../../nodes/ApplicationDataService/service/write/writeRecord';
import { makePart, TOKYO } from '../../../parts/support/parts';
import { EQUAL, isDeclared } from './declared';
import { FAULTS, FILE, isFault, World, type Happening, type Rival, type Stored } from './world';

const name = makePart('textbox', { id: '101', name: 'Name' });
const item = makePart('textbox', { name: 'Item' });
const lines = makePart('input_list', { id: '103', name: 'Lines', children: [item] });
const docs = makePart('files', { id: '104', name: 'Docs' });
const parts = [makePart('id', { id: '1', name: 'ID', system: true, readOnly: true }), name, lines, docs];

const text = (value: string): WriteValue => ({ kind: 'text', text: value });
const row = (value: string, id?: string) => ({
  ...(id !== undefined && { id }),
  values: [{ part: item, value: text(value) }],
});
/** Binary fields "data" and "same" hold the one file, any other field one of its own. */
const contents = new Proxy(new Map<string, FileContent>(), {
  get: (_, method) =>
    method === 'get'
      ? (field: string): FileContent => ({
          fileName: ['data', 'same'].includes(field) ? FILE.name : `${field}.txt`,
          type: 'text/plain',
          size: FILE.size,
          read: () => [] as never,
        })
      : undefined,
});

/** One kind of write, with what another writer may do that matters to it. */
export interface Scenario {
  readonly title: string;
  readonly guard: 'none' | 'user' | 'node' | 'insert';
  /** Whether it adds a row, a file or a record. */
  readonly adds: boolean;
  readonly rivals: readonly Rival[];
  readonly isHeld: (record: Stored) => boolean;
  /** Requests that it takes, and copies of one thing that it adds, if not one. */
  readonly requests?: number;
  readonly run: (
    app: ApplicationSession,
    checkpoint: Checkpoint,
  ) => Promise<'done' | 'unchanged' | 'notDone' | 'unknown'>;
}

function updateOf(changes: Partial<Update>): Update {
  return {
    ...{
      id: '12',
      values: [],
      policy: 'overwrite',
      revision: null,
      known: {},
      rowMode: 'merge',
    },
    ...{
      skipUnchanged: false,
      parts,
      options: { autoAction: true, relookupKeyParts: [] },
      context: TOKYO,
      contents,
    },
    ...changes,
  };
}

function updating(changes: Partial<Update>): Scenario['run'] {
  const update = updateOf(changes);
  return async (app, checkpoint) => {
    const { outcome } = await writeRecord(app, update, checkpoint);
    return outcome === 'conflict' ? 'notDone' : outcome === 'unchanged' ? 'unchanged' : 'done';
  };
}

const files = (...add: string[]): WriteValue => ({ kind: 'files', add, remove: [] });
const named: Partial<Update> = { values: [{ part: name, value: text('mine') }] };
const rowsOf = (...rows: ReturnType<typeof row>[]): Partial<Update> => ({
  values: [{ part: lines, value: { kind: 'rows', rows } }],
});
const fail = { policy: 'fail', revision: 3, known: { Name: 'old' } } as const;

const isNamed = (record: Stored): boolean => record.name.startsWith('mine');
const hasRow = (record: Stored): boolean => record.rows.some((each) => each.item.startsWith('new'));
const hasFile = (record: Stored): boolean => record.files.some((each) => each.name === FILE.name);
const PLAIN: Rival[] = ['touch', 'sameName', 'otherName', 'delete'];
const ROW: Rival[] = ['touch', 'sameRow', 'otherRow', 'removeRow', 'addOther', 'delete'];
const ADD: Rival[] = ['touch', 'otherRow', 'addEqual', 'addOther', 'removeRow', 'removeAdded', 'delete'];
const DOCS: Rival[] = ['touch', 'addEqualFile', 'addOtherFile', 'removeFile', 'removeAddedFile', 'delete'];

const insert = {
  context: TOKYO,
  options: { autoAction: true, relookupKeyParts: [] },
  contents,
  values: named.values!,
};

const plain = (title: string, guard: Scenario['guard'], run: Scenario['run']): Scenario => ({
  ...{ title, guard, adds: false, rivals: PLAIN, isHeld: isNamed, run },
});
const adding = (title: string, guard: Scenario['guard'], run: Scenario['run']): Scenario => ({
  ...{ title, guard, adds: true, rivals: ADD, isHeld: hasRow, run },
});

export const SCENARIOS: readonly Scenario[] = [
  plain('plain values, overwriting', 'none', updating(named)),
  plain('plain values, only differences', 'none', updating({ ...named, skipUnchanged: true })),
  plain('plain values, Fail', 'user', updating({ ...named, ...fail })),
  plain('plain values, Skip', 'user', updating({ ...named, ...fail, policy: 'skip' })),
  plain('plain values, Merge', 'user', updating({ ...named, ...fail, policy: 'merge' })),
  plain('plain values, as Sync writes them', 'node', updating({ ...named, stateOf: { parts: [], key: [] } })),
  ...(['node', 'user'] as const).map((guard): Scenario => ({
    ...{ title: `a row by ID, ${guard}`, guard, adds: false, rivals: ROW },
    isHeld: ({ rows }) => rows.some((each) => each.id === '1' && each.item.startsWith('mine')),
    run: updating({ ...rowsOf(row('mine', '1')), ...(guard === 'user' && fail) }),
  })),
  adding('an added row', 'node', updating(rowsOf(row('new')))),
  adding('an added row, Fail', 'user', updating({ ...rowsOf(row('new')), ...fail })),
  adding(
    'Table Row > Add',
    'node',
    updating({ rowChanges: [{ kind: 'add', table: lines, values: row('new').values }] }),
  ),
  adding('rows replaced', 'node', updating({ ...rowsOf(row('b'), row('new')), rowMode: 'replace' })),
  {
    ...{ title: 'Table Row > Delete', guard: 'node', adds: false, rivals: ROW },
    isHeld: ({ rows }) => !rows.some(({ id }) => id === '1'),
    run: updating({ rowChanges: [{ kind: 'delete', table: lines, ids: ['1'] }] }),
  },
  {
    ...{ title: 'a file removed', guard: 'node', adds: false, rivals: DOCS },
    isHeld: ({ files }) => !files.some(({ id }) => id === '7'),
    run: updating({ values: [{ part: docs, value: { kind: 'files', add: [], remove: ['7'] } }] }),
  },
  {
    ...{ title: 'an upload', guard: 'node', adds: true, rivals: DOCS, isHeld: hasFile },
    run: updating({ values: [{ part: docs, value: files('data') }] }),
  },
  {
    ...{ title: 'a text with an upload', guard: 'node', adds: true, rivals: DOCS, isHeld: hasFile },
    run: updating({ values: [...named.values!, { part: docs, value: files('data') }] }),
  },
  {
    ...{ title: 'two uploads', guard: 'node', adds: true, rivals: DOCS, isHeld: hasFile },
    run: updating({ values: [{ part: docs, value: files('data', 'photo') }] }),
  },
  {
    ...{ title: 'two uploads of one name', guard: 'node', adds: true, rivals: DOCS, isHeld: hasFile },
    requests: 2,
    run: updating({ values: [{ part: docs, value: files('data', 'same') }] }),
  },
  {
    ...{ title: 'an insert', guard: 'insert', adds: true, rivals: [], isHeld: isNamed },
    run: async (app: ApplicationSession, checkpoint: Checkpoint): ReturnType<Scenario['run']> => {
      await insertRecord(app, insert, null, checkpoint);
      return 'done';
    },
  },
  {
    ...{ title: 'an insert with a key', guard: 'insert', adds: true, rivals: [], isHeld: isNamed },
    run: async (app: ApplicationSession, checkpoint: Checkpoint): ReturnType<Scenario['run']> => {
      const key = { parts: [name], key: ['mine'], update: updateOf({ ...named, policy: 'skip' }) };
      await insertRecord(app, insert, key, checkpoint);
      return 'done';
    },
  },
];

const application = {
  ...{ id: '301', name: 'Goods', status: 'running', overview: '', portalIcon: '', palletMenuIcon: '' },
  ...{ parts, raw: {} },
};

/** What a history came to, as it was told and as it was. */
export interface Judged {
  readonly calls: number;
  readonly wrong: 'not there' | 'twice' | 'done' | null;
  /** `partly`: written, but for a file that the message names. */
  readonly told: 'done' | 'unchanged' | 'notDone' | 'partly' | 'unknown';
}

/** What one try keeps for the next, as the node's context keeps it. */
class Memory {
  private kept = '{}';

  checkpoint(): Checkpoint {
    const { done = null, indeterminate = null } = JSON.parse(this.kept) as {
      done?: Done;
      indeterminate?: ServiceError;
    };
    return {
      done,
      indeterminate:
        indeterminate && new ServiceError('outcomeUnknown', indeterminate.message, '', indeterminate.details),
      items: [0],
      isOther: false,
      recordProgress: (progress) => void (this.kept = JSON.stringify({ done: progress })),
    };
  }

  endTry(error: unknown): void {
    const { done } = this.checkpoint();
    if (done !== null && done.steps === undefined) return;
    if (!isIndeterminate(error)) return;
    const { message, details } = error;
    this.kept = JSON.stringify({ ...(done && { done }), indeterminate: { message, details } });
  }
}

async function told(run: () => ReturnType<Scenario['run']>, memory: Memory): Promise<Judged['told'] | Error> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || !('description' in error)) throw error;
    memory.endTry(error);
    if (isIndeterminate(error)) return 'unknown';
    const { done } = memory.checkpoint();
    return done === null ? 'notDone' : done.steps === undefined ? 'done' : 'partly';
  }
}

/** Runs one history against the code. */
export async function judge(
  scenario: Scenario,
  history: readonly Happening[],
  { tries, processing, trims = false }: Pick<Bounds, 'tries' | 'processing' | 'trims'>,
): Promise<Judged> {
  let wasHeld = false;
  let mostOurs = 0;
  const world = new World(
    history,
    ({ records }) => {
      const all = [...records.values()];
      wasHeld ||= all.some((each) => each.exists && scenario.isHeld(each));
      mostOurs = Math.max(mostOurs, oursIn(all));
    },
    scenario.guard === 'insert',
    processing,
    trims,
  );
  const { requests = 1 } = scenario;
  const app = new ApplicationSession(world.client, '301', application);
  app.learnKeyMode('name');
  const memory = new Memory();
  let result = await told(async () => await scenario.run(app, memory.checkpoint()), memory);
  for (let more = 1; more < tries && ['unknown', 'notDone', 'partly'].includes(String(result)); more++)
    result = await told(async () => await scenario.run(app, memory.checkpoint()), memory);
  const { calls } = world;
  const isThere = (): boolean =>
    scenario.adds || scenario.guard === 'user' ? world.executed >= requests : wasHeld;
  const isMissing = result === 'unchanged' ? !wasHeld : result === 'done' && !isThere();
  // What was done and overwritten or removed by others since is rightly told as not there.
  world.end();
  const isDone = result === 'notDone' && world.executed > 0 && isHeldNow(world, scenario);
  const wrong = mostOurs > requests ? 'twice' : isMissing ? 'not there' : isDone ? 'done' : null;
  return { calls, told: result as Judged['told'], wrong };
}

function isHeldNow({ records }: World, { adds, isHeld }: Scenario): boolean {
  return [...records.values()].some((each) => each.exists && isHeld(each) && (!adds || oursIn([each]) > 0));
}

/** How often the same row, file or record of ours is there, where it is there most often. */
function oursIn(records: readonly Stored[]): number {
  const keys = records.flatMap(({ isOurs, rows, files }) => [
    ...(isOurs ? ['record'] : []),
    ...rows.filter((each) => each.isOurs).map((each) => each.item),
    ...files.filter((each) => each.isOurs).map((each) => each.name),
  ]);
  return Math.max(0, ...keys.map((key) => keys.filter((each) => each === key).length));
}

/** How many of each a history may have. */
export interface Bounds {
  readonly rivals: number;
  readonly faults: number;
  readonly tries: number;
  /** What the service itself does after each write of ours. */
  readonly processing?: Rival;
  /** Whether the service stores other texts than it is sent. */
  readonly trims?: boolean;
}

/** All histories within the bounds, each once: one more happening at a time, where a call was made. */
async function everyHistory(
  scenario: Scenario,
  { rivals, faults, ...bounds }: Bounds,
  visit: (history: readonly Happening[], judged: Judged) => void,
): Promise<void> {
  const grow = async (history: readonly Happening[]): Promise<void> => {
    const judged = await judge(scenario, history, bounds);
    visit(history, judged);
    const used = history.filter(({ what }) => isFault(what)).length;
    const last = history.at(-1);
    for (let at = last?.at ?? 0; at < judged.calls; at++) {
      // What fails a call comes after what others do before it.
      if (last?.at === at && isFault(last.what)) continue;
      if (history.length - used < rivals)
        for (const what of scenario.rivals) await grow([...history, { at, what }]);
      if (used < faults) for (const what of FAULTS) await grow([...history, { at, what }]);
    }
  };
  await grow([]);
}

/** What all histories of a scenario came to. */
export interface Tally {
  histories: number;
  unknown: number;
  /**
   * Unknown although one answer at most was lost, and nobody wrote. Or all calls were answered, and nobody wrote an equal row or
   * file or removed the uploaded one.
   */
  needlesslyUnknown: string[];
  /** Outcomes that are wrong, and not declared: each as its history. */
  wrong: string[];
  /** How many are wrong and declared, by what is wrong and why. */
  readonly declared: Record<string, number>;
}

/** Runs all histories within the bounds. Stack traces of the many failures, which nobody reads, take most of the time. */
export async function tallyOf(scenario: Scenario, bounds: Bounds): Promise<Tally> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await tallied(scenario, bounds);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function tallied(scenario: Scenario, bounds: Bounds): Promise<Tally> {
  const tally: Tally = { histories: 0, unknown: 0, needlesslyUnknown: [], wrong: [], declared: {} };
  await everyHistory(scenario, bounds, (history, judged) => {
    const words = history.map(({ at, what }) => `${at} ${what}`).join(', ');
    tally.histories++;
    if (judged.told === 'unknown') tally.unknown++;
    const isLost =
      history.length === 1 && ['lostBefore', 'lostAfter', 'failedAfter'].includes(history[0]!.what);
    const isPlain =
      (isLost && scenario.guard !== 'insert') ||
      history.every(
        ({ what }) => !isFault(what) && ![...EQUAL, 'removeFile', 'removeAddedFile'].includes(what),
      );
    if (judged.told === 'unknown' && isPlain) tally.needlesslyUnknown.push(words);
    if (!isDeclared(scenario, history, judged, bounds))
      tally.wrong.push(`${judged.told}, but ${judged.wrong}: ${words}`);
    else if (judged.wrong !== null) {
      const kind = `${judged.wrong}, ${words.includes('doneRefused') ? 'saved and refused' : 'equal write of others'}`;
      tally.declared[kind] = (tally.declared[kind] ?? 0) + 1;
    }
  });
  return tally;
}

/** The share of histories that may end as unknown: with the user's guard, a lost answer cannot be told after further writes. */
const MAX_UNKNOWN = { none: 0.35, node: 0.4, user: 0.65, insert: 0.75 } as const;

/** No more wrong outcomes than those declared, and not simply because everything is unknown. */
export function expectTruth(
  { guard }: Scenario,
  { wrong, needlesslyUnknown, unknown, histories }: Tally,
  mostUnknown: number = MAX_UNKNOWN[guard],
): void {
  expect({ wrong: wrong.slice(0, 20), needlesslyUnknown: needlesslyUnknown.slice(0, 20) }).toEqual({
    wrong: [],
    needlesslyUnknown: [],
  });
  expect(unknown / histories).toBeLessThan(mostUnknown);
}
