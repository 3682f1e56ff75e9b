import type { Part, WriteValue } from '../../../../../nodes/ApplicationDataService/parts/model/part';
import { ApplicationSession } from '../../../../../nodes/ApplicationDataService/service/application/session';
import { isInDoubt, ServiceError } from '../../../../../nodes/ApplicationDataService/service/http/errors';
import type { FileContent } from '../../../../../nodes/ApplicationDataService/service/http/multipart';
import { insertRecord } from '../../../../../nodes/ApplicationDataService/service/write/insert';
import type { RowChange } from '../../../../../nodes/ApplicationDataService/service/write/rows';
import type { Update } from '../../../../../nodes/ApplicationDataService/service/write/update';
import type {
  Checkpoint,
  Progress,
} from '../../../../../nodes/ApplicationDataService/service/write/checkpoint';
import { writeRecord } from '../../../../../nodes/ApplicationDataService/service/write/writeRecord';
import { makePart, TOKYO } from '../../../parts/support/parts';
import { FAULTS, FILE, isFault, World, type Happening, type Rival, type Stored } from './world';

const name = makePart('textbox', { id: '101', name: 'Name' });
const item = makePart('textbox', { name: 'Item' });
const lines = makePart('input_list', { id: '103', name: 'Lines', children: [item] });
const docs = makePart('files', { id: '104', name: 'Docs' });
const parts = [makePart('id', { id: '1', name: 'ID', system: true, readOnly: true }), name, lines, docs];

const options = { autoAction: true, relookupKeyParts: [] };

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

type Told = 'done' | 'unchanged' | 'notDone' | 'partly' | 'unknown';

/** What a write is about: whether it adds a row, a file or a record, and what another writer may do that matters. */
interface Kind {
  readonly adds: boolean;
  readonly rivals: readonly Rival[];
  readonly isHeld: (record: Stored) => boolean;
}

const hasFile = ({ files }: Stored): boolean => files.some((each) => each.name === FILE.name);
const ROW: Omit<Kind, 'isHeld'> = {
  ...{ adds: false, rivals: ['touch', 'sameRow', 'otherRow', 'removeRow', 'addOther', 'delete'] },
};
const DOCS: readonly Rival[] = [
  ...(['touch', 'addEqualFile', 'addOtherFile', 'removeFile', 'removeAddedFile', 'delete'] as const),
];
const isNamed = (record: Stored): boolean => record.name.startsWith('mine');
const KINDS = {
  name: { adds: false, rivals: ['touch', 'sameName', 'otherName', 'delete'], isHeld: isNamed },
  row: { ...ROW, isHeld: ({ rows }) => rows.some(({ id, item: is }) => id === '1' && is.startsWith('mine')) },
  removedRow: { ...ROW, isHeld: ({ rows }) => !rows.some(({ id }) => id === '1') },
  addedRow: {
    adds: true,
    rivals: ['touch', 'otherRow', 'addEqual', 'addOther', 'removeRow', 'removeAdded', 'delete'],
    isHeld: ({ rows }) => rows.some((each) => each.item.startsWith('new')),
  },
  removedFile: { adds: false, rivals: DOCS, isHeld: ({ files }) => !files.some(({ id }) => id === '7') },
  file: { adds: true, rivals: DOCS, isHeld: hasFile },
  record: { adds: true, rivals: [], isHeld: isNamed },
} as const satisfies Record<string, Kind>;

/** One kind of write. */
export interface Scenario extends Kind {
  readonly title: string;
  readonly guard: 'none' | 'user' | 'node' | 'insert';
  /** Of the one thing that it adds. */
  readonly copies: number;
  readonly run: (app: ApplicationSession, checkpoint: Checkpoint) => Promise<Told>;
}

const updateOf = (changes: Partial<Update>): Update => ({
  ...{ id: '12', values: [], policy: 'overwrite', revision: null, before: {}, rowMode: 'merge', parts },
  ...{ sends: 'all', isState: false, options, context: TOKYO, contents },
  ...changes,
});
const of = (part: Part, value: WriteValue): Partial<Update> => ({ values: [{ part, value }] });
const rowsOf = (...rows: ReturnType<typeof row>[]) => of(lines, { kind: 'rows', rows });
const files = (...add: string[]): WriteValue => ({ kind: 'files', add, remove: [] });
const changing = (change: object) => ({ changes: [{ table: lines, ...change } as RowChange] });
const named = { values: [{ part: name, value: text('mine') }] };
const fail = { policy: 'fail', revision: 3, before: { Name: 'old' } } as const;
const changesOnly = { sends: 'changes' } as const;
const bySync = { matched: { parts: [], key: [] }, isState: true, ...changesOnly };
const { values: added } = row('new');

const UPDATES: readonly (readonly [
  ...[title: string, guard: Scenario['guard'], kind: keyof typeof KINDS, changes: Partial<Update>],
  copies?: number,
])[] = [
  ['plain values, overwriting', 'none', 'name', named],
  ['plain values, only differences', 'none', 'name', { ...named, ...changesOnly }],
  ['plain values, all once one differs', 'none', 'name', { ...named, sends: 'allOnChange' }],
  ['plain values, Fail', 'user', 'name', { ...named, ...fail }],
  ['plain values, Skip', 'user', 'name', { ...named, ...fail, policy: 'skip' }],
  ['plain values, Merge', 'user', 'name', { ...named, ...fail, policy: 'merge' }],
  ['plain values, as Sync writes them', 'node', 'name', { ...named, ...bySync }],
  ['a row by ID, node', 'node', 'row', rowsOf(row('mine', '1'))],
  ['a row by ID, user', 'user', 'row', { ...rowsOf(row('mine', '1')), ...fail }],
  ['an added row', 'node', 'addedRow', rowsOf(row('new'))],
  ['an added row, Fail', 'user', 'addedRow', { ...rowsOf(row('new')), ...fail }],
  ['Table Row > Add', 'node', 'addedRow', changing({ kind: 'add', values: added })],
  ['rows replaced', 'node', 'addedRow', { ...rowsOf(row('b'), row('new')), rowMode: 'replace' }],
  ['Table Row > Delete', 'node', 'removedRow', changing({ kind: 'delete', ids: ['1'] })],
  ['a file removed', 'node', 'removedFile', of(docs, { kind: 'files', add: [], remove: ['7'] })],
  ['an upload', 'node', 'file', of(docs, files('data'))],
  [
    ...(['a text with an upload', 'node', 'file'] as const),
    { values: [...named.values, { part: docs, value: files('data') }] },
  ],
  ['two uploads', 'node', 'file', of(docs, files('data', 'photo'))],
  ['two uploads of one name', 'node', 'file', of(docs, files('data', 'same')), 2],
  ['Table Row > Update', 'node', 'row', changing({ kind: 'update', id: '1', values: row('mine').values })],
  [
    ...(['Attachment > Delete', 'node', 'removedFile'] as const),
    { changes: [{ kind: 'removeFiles', part: docs, ids: ['7'] }], ...changesOnly },
  ],
  [
    ...(['an upload, and a file removed', 'node', 'file'] as const),
    of(docs, { kind: 'files', add: ['data'], remove: ['7'] }),
  ],
];

/** An insert, with a key by which it is found again or without one. */
const inserting = (title: string, key: Parameters<typeof insertRecord>[2]): Scenario => ({
  ...{ title, guard: 'insert', ...KINDS.record, copies: 1 },
  run: async (app, checkpoint) => {
    await insertRecord(app, { ...named, context: TOKYO, options, contents }, key, checkpoint);
    return 'done';
  },
});

export const SCENARIOS: readonly Scenario[] = [
  ...UPDATES.map(([title, guard, kind, changes, copies = 1]): Scenario => ({
    ...{ title, guard, ...KINDS[kind], copies },
    run: async (app, checkpoint) => {
      const { items } = await writeRecord(app, updateOf(changes), checkpoint);
      const outcome = items[0]!.outcome;
      return outcome === 'conflict' || outcome === 'notFound'
        ? 'notDone'
        : outcome === 'unchanged'
          ? 'unchanged'
          : 'done';
    },
  })),
  inserting('an insert', null),
  inserting('an insert with a key', {
    ...updateOf({ ...named, policy: 'skip' }),
    matched: { parts: [name], key: ['mine'] },
  }),
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
  readonly told: Told;
}

/** What one try keeps for the next, as the node's context keeps it. */
class Memory {
  private kept = '{}';

  checkpoint(): Checkpoint {
    const { progress = null, doubt = null } = JSON.parse(this.kept) as {
      progress?: Progress;
      doubt?: ServiceError;
    };
    return {
      progress,
      doubt: doubt && new ServiceError('inDoubt', doubt.message, '', doubt.details),
      indexes: [0],
      recordProgress: (reached) => void (this.kept = JSON.stringify({ progress: reached })),
    };
  }

  endTry(error: unknown): void {
    const { progress } = this.checkpoint();
    if (progress !== null && progress.open === undefined) return;
    if (!isInDoubt(error)) return;
    const { message, details } = error;
    this.kept = JSON.stringify({ ...(progress && { progress }), doubt: { message, details } });
  }
}

async function told(run: () => Promise<Told>, memory: Memory): Promise<Told> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || !('description' in error)) throw error;
    memory.endTry(error);
    if (isInDoubt(error)) return 'unknown';
    const { progress } = memory.checkpoint();
    if (progress === null) return 'notDone';
    return progress.open !== undefined || progress.fault ? 'partly' : 'done';
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
  const app = new ApplicationSession(world.client, '301', application);
  app.learnKeyMode('name');
  const memory = new Memory();
  let result: Told = 'notDone';
  for (let count = 0; count < tries && ['unknown', 'notDone', 'partly'].includes(result); count++)
    result = await told(async () => await scenario.run(app, memory.checkpoint()), memory);
  const { calls } = world;
  const isThere = (): boolean => (scenario.adds || scenario.guard === 'user' ? world.executed > 0 : wasHeld);
  const isMissing = result === 'unchanged' ? !wasHeld : result === 'done' && !isThere();
  // What was done and overwritten or removed by others since is rightly told as not there.
  world.end();
  const isDone = result === 'notDone' && world.executed > 0 && isHeldNow(world, scenario);
  const wrong = mostOurs > scenario.copies ? 'twice' : isMissing ? 'not there' : isDone ? 'done' : null;
  return { calls, told: result, wrong };
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

const EQUAL: readonly string[] = ['sameName', 'sameRow', 'addEqual', 'addEqualFile'];
const LOST: readonly string[] = ['lostBefore', 'lostAfter', 'late', 'later', 'atEnd', 'failedAfter'];

/** Whether docs/guarantees.md declares a wrong outcome as one that cannot be helped. */
function isDeclared(
  { guard, adds }: { readonly guard: string; readonly adds: boolean },
  history: readonly Happening[],
  { wrong }: { readonly wrong: 'not there' | 'twice' | 'done' | null },
  { processing, trims }: { readonly processing?: Rival; readonly trims?: boolean },
): boolean {
  const has = (kinds: readonly string[]): boolean => history.some(({ what }) => kinds.includes(what));
  const faults = history.filter(({ what }) => isFault(what)).length;
  const isMovedOn = processing !== undefined || trims === true || history.length > faults;
  switch (wrong) {
    case null:
      return true;
    case 'not there':
      // Who writes the same at that moment looks the same.
      return has(EQUAL) && has(LOST);
    case 'done':
      // Refused after it was done: what the service says, and with the user's guard a conflict; under the node's
      // revision only if the record cannot be read then, or it was the last plan.
      return has(['doneRefused']) && (guard !== 'node' || history.length > 1);
    case 'twice':
      // Refused after it was done, and changed at once by others, processing or the service: it looks like others' work.
      return has(['doneRefused']) && (guard === 'insert' || (adds && (isMovedOn || faults > 1)));
  }
}

/** What all histories of a scenario came to. */
export interface Tally {
  histories: number;
  unknown: number;
  /** Unknown although one answer at most was lost, and nobody wrote; or no fault, and nobody wrote what looks alike. */
  readonly needlesslyUnknown: string[];
  /** Outcomes that are wrong, and not declared: each as its history. */
  readonly wrong: string[];
}

const LOSSES: readonly string[] = ['lostBefore', 'lostAfter', 'failedAfter'];
const ALIKE: readonly string[] = [...EQUAL, 'removeFile', 'removeAddedFile'];

/** Runs all histories within the bounds. Stack traces of the many failures, which nobody reads, take most of the time. */
export async function tallyOf(scenario: Scenario, bounds: Bounds): Promise<Tally> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const tally: Tally = { histories: 0, unknown: 0, needlesslyUnknown: [], wrong: [] };
  const count = (history: readonly Happening[], judged: Judged): void => {
    const words = history.map(({ at, what }) => `${at} ${what}`).join(', ');
    const isLost = scenario.guard !== 'insert' && history.length === 1 && LOSSES.includes(history[0]!.what);
    const isPlain = isLost || history.every(({ what }) => !isFault(what) && !ALIKE.includes(what));
    tally.histories++;
    if (judged.told === 'unknown') tally.unknown++;
    if (judged.told === 'unknown' && isPlain) tally.needlesslyUnknown.push(words);
    if (!isDeclared(scenario, history, judged, bounds))
      tally.wrong.push(`${judged.told}, but ${judged.wrong}: ${words}`);
  };
  try {
    await everyHistory(scenario, bounds, count);
    return tally;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
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
