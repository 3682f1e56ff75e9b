import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { audit, violationsOf, type Evidence } from './audit/audit';
import { auditResources } from './audit/resources';
import type { Delivery, Event, Line } from './ledger/ledger';
import { fileAdded, gone, rowAdded, rowMarked, valued } from './ledger/traces';
import { Meter, type Sample } from './util/meter';
import type { Entry } from './world/journal';

/** Journal entries in order. A change keeps what it does not mention. */
function journalOf(...changes: readonly (Partial<Entry> & Pick<Entry, 'record' | 'event'>)[]): Entry[] {
  const now = new Map<string, Entry>();
  return changes.map((change, index) => {
    const { revision = 0, ...before }: Partial<Entry> = now.get(change.record) ?? {};
    const texts = { Key: `key of ${change.record}`, State: 'open', ...before.texts, ...change.texts };
    const entry = { rows: [], files: [], ...before, number: index + 1, ...change, texts };
    const next = { ...entry, revision: change.event === 'delete' ? revision : revision + 1 };
    now.set(change.record, next);
    return next;
  });
}

const line = (reported: Line['reported'], more: Partial<Line>): Line => ({
  ...{ operation: 'record update', reported },
  ...more,
});
const event = (
  [kind, id, revision, previousRevision]: [Event['event'], string, number | null, number | null],
  lanes: Event['lanes'],
): Event => ({ event: kind, id, revision, previousRevision, lanes });
const delivery = (...events: Event[]): Delivery => ({ watcher: 'all', events, lost: false });

const row = { id: '7', item: 'rows-1', mark: '' };
const file = { id: '5', name: 'files-1.abc.bin' };
const lane1 = (value: string) => ({ 'Lane 1': value });
const both = { 'Lane 1': 'up-1', 'Lane 2': 'up-2' };
const journal = journalOf(
  { event: 'insert', record: '1', texts: { Key: 'first-0' } },
  { event: 'insert', record: '2', texts: { Key: 'new-1', ...lane1('new-1') } },
  { event: 'update', record: '1', texts: lane1('up-1') },
  { event: 'update', record: '1', texts: both },
  { event: 'update', record: '2', rows: [row] },
  { event: 'update', record: '2', rows: [{ ...row, mark: 'rows-2' }] },
  { event: 'update', record: '2', files: [file] },
  { event: 'update', record: '2', rows: [] },
  { event: 'delete', record: '1' },
);
const last = journal[7]!;
const lines = {
  created: line('created', { adds: [valued('Key', 'new-1'), valued('Lane 1', 'new-1')], id: '2' }),
  first: line('updated', {
    ...{ record: '1', adds: [valued('Lane 1', 'up-1')] },
    guard: { policy: 'fail', revision: 1, lanes: lane1('') },
  }),
  second: line('updated', {
    ...{ record: '1', adds: [valued('Lane 2', 'up-2')] },
    guard: { policy: 'merge', revision: 1, lanes: { 'Lane 2': '' } },
  }),
  row: line('created', { operation: 'tableRow add', record: '2', adds: [rowAdded('rows-1')] }),
  mark: line('updated', { record: '2', adds: [rowMarked('7', 'rows-2')] }),
  file: line('updated', { record: '2', adds: [fileAdded(file.name)] }),
  rowGone: line('deleted', { record: '2', removes: [gone('row', '7')] }),
  gone: line('deleted', { removes: [gone('record', '1')] }),
  refused: line('refused', { record: '2', adds: [valued('Lane 3', 'no-1')] }),
};
const told = delivery(
  event(['updated', '1', 2, 1], lane1('up-1')),
  event(['created', '2', 1, null], lane1('new-1')),
);
const update = event(['updated', '2', 5, 1], lane1('new-1'));
const deletion = event(['deleted', '1', null, 3], {});
const later = delivery(event(['updated', '1', 3, 2], both), update, deletion);

/** A short time without violations: of one existing and one created record, both were changed and one was deleted. */
const good: Evidence = {
  journal,
  beginning: 1,
  hashes: new Map([['5', 'abc']]),
  watchers: [{ name: 'all' }],
  samples: [],
  ledger: {
    lines: Object.values(lines),
    seen: [{ id: '1', revision: 2, lanes: lane1('up-1') }],
    seenFiles: [{ name: file.name, sha256: 'abc' }],
    deliveries: [told, later],
    leaks: [],
  },
};

const withLedger = (ledger: Partial<Evidence['ledger']>): Evidence => ({
  ...good,
  ledger: { ...good.ledger, ...ledger },
});
const withLines = (changed: Partial<Record<keyof typeof lines, Line>>, ...more: Line[]): Evidence =>
  withLedger({ lines: [...Object.values({ ...lines, ...changed }), ...more] });
const plus = (reported: Line['reported'], more: Partial<Line>): Evidence =>
  withLines({}, line(reported, more));
const withLine = (name: keyof typeof lines, change: Partial<Line>): Evidence =>
  withLines({ [name]: { ...lines[name], ...change } });
const without = (name: keyof typeof lines): Evidence => withLine(name, { adds: [], removes: [] });
const withJournal = (...entries: Entry[]): Evidence => ({
  ...good,
  journal: entries.map((entry, index) => ({ ...entry, number: index + 1 })),
});
const toldOf = (...events: Event[]): Evidence => withLedger({ deliveries: [told, delivery(...events)] });
const withUpdate = (wrong: Partial<Event>): Evidence =>
  toldOf(later.events[0]!, { ...update, ...wrong }, deletion);
const broken = (policy: 'fail' | 'merge'): Evidence =>
  withLine('second', { guard: { policy, revision: 1, lanes: { 'Lane 2': 'x' } } });

const unsent = [valued('Lane 4', 'up-9')];
const secondGone = [gone('record', '2')];
const wrongly = 'Trigger: all: reported wrongly';
const twice = 'Trigger: all: reported twice';
const never = 'Trigger: all: never reported';

/** A value that is written, then another one by somebody else, then the first one again. */
const again = (more: Partial<Line>): Evidence => {
  const lane = (value: string, revision: number) => ({
    ...{ ...last, revision },
    texts: { ...last.texts, 'Lane 4': value },
  });
  const write = (value: string, of: Partial<Line> = {}) =>
    line('updated', { record: '2', adds: [valued('Lane 4', value)], ...of });
  const entries = [...journal.slice(0, 8), lane('up-8', 6), lane('up-9', 7), lane('up-8', 8), journal[8]!];
  const { ledger } = withLines({}, write('up-8', more), write('up-9'));
  const lanes = { ...lane1('new-1'), 'Lane 4': 'up-8' };
  const deliveries = [...ledger.deliveries, delivery(event(['updated', '2', 8, 5], lanes))];
  return { ...withJournal(...entries), ledger: { ...ledger, deliveries } };
};

/** An audit that finds nothing could be blind: each of these is a fault that it must find. */
test.each<[string, Evidence, ...string[]]>([
  ['nothing, if all went well', good],
  ['an update that is not there', plus('updated', { adds: unsent }), 'Writes: missing'],
  ['a row that is not there', plus('created', { adds: [rowAdded('r')] }), 'Writes: missing'],
  ['a file that is not there', plus('updated', { adds: [fileAdded('f')] }), 'Writes: missing'],
  [
    'a record that was added twice',
    withJournal(...journal, { ...journal[1]!, record: '3' }),
    'Writes: done twice',
    'State: two records with one key',
  ],
  [
    'a write without effect',
    withJournal(...journal.slice(0, 8), { ...last, revision: 6 }, journal[8]!),
    'State: without any effect',
  ],
  [
    'that no trigger told an overwrite, sent again over a state that somebody else wrote meanwhile',
    withJournal(
      ...journal.slice(0, 8),
      { ...last, revision: 6, texts: { ...last.texts, State: 'closed' } },
      journal[8]!,
    ),
    'Trigger: all: never reported',
  ],
  ['nothing of an overwrite that was sent again over what somebody else wrote', again({})],
  [
    'an update under a revision that was done twice',
    again({ guard: { policy: 'merge', revision: 5, lanes: { 'Lane 4': '' } } }),
    'Writes: done twice',
  ],
  ['a refused write that was done', withLine('second', { reported: 'refused' }), 'Writes: refused but done'],
  ['a conflict that was done', withLine('second', { reported: 'conflict' }), 'Writes: refused but done'],
  ['nothing of a write in doubt that was done', withLine('second', { reported: 'unknown' })],
  ['nothing of a write in doubt that was not done', plus('unknown', { adds: unsent })],
  ['fail, broken', broken('fail'), 'Writes: over changes of others'],
  ['merge, broken', broken('merge'), 'Writes: over changes of others'],
  ['another record', withLine('created', { id: '9' }), 'Writes: reported wrongly'],
  ['another outcome', withLine('created', { reported: 'updated' }), 'Writes: reported wrongly'],
  ['what nobody asked for', without('mark'), 'State: asked for by nobody'],
  [
    'a row that became another',
    withJournal(
      ...journal.map((each) => (each.number === 6 ? { ...each, rows: [{ ...row, item: 'rows-9' }] } : each)),
    ),
    'State: asked for by nobody',
  ],
  [
    'emptied values of others',
    withJournal(...journal, { ...last, revision: 6, texts: { Key: 'new-1', State: 'open' } }),
    'State: lost values',
  ],
  [
    'a deletion that was not done',
    plus('deleted', { removes: secondGone }),
    'Deletions: said to be deleted but there',
  ],
  [
    'a record that is said not to exist',
    plus('notFound', { removes: secondGone }),
    'Deletions: said not to exist but there',
  ],
  ['a refused deletion', withLine('gone', { reported: 'refused' }), 'Deletions: refused but deleted'],
  ['a record that nobody deleted', without('gone'), 'Deletions: lost: nobody asked to delete it'],
  ['a row that nobody deleted', without('rowGone'), 'Deletions: lost: nobody asked to delete it'],
  ['a wrong file', { ...good, hashes: new Map([['5', 'def']]) }, 'State: wrong content of a file'],
  [
    'a wrong download',
    withLedger({ seenFiles: [{ name: file.name, sha256: 'def' }] }),
    'State: wrong content of a file',
  ],
  [
    'a wrong read',
    withLedger({ seen: [{ id: '1', revision: 2, lanes: lane1('other') }] }),
    'State: never was like this',
  ],
  ['an update that was not told', toldOf(later.events[0]!, deletion), never],
  ['a deletion that was not told', toldOf(later.events[0]!, update), never],
  ['an event that came twice', toldOf(...later.events, update), twice],
  ['a deletion that came twice', toldOf(...later.events, deletion), twice],
  ['a revision that never was', withUpdate({ revision: 9 }), wrongly],
  ['values of another revision', withUpdate({ lanes: lane1('up-1') }), wrongly],
  ['another previous revision', withUpdate({ previousRevision: 4 }), wrongly],
  ['a deletion that was none', toldOf(...later.events, event(['deleted', '2', null, 5], {})), wrongly],
  ['nothing, where a crash may lose', withLedger({ deliveries: [told, { ...later, lost: true }] })],
  ['what is not watched', { ...good, watchers: [{ name: 'all', watched: 'Lane 1' }] }, wrongly],
  ['too many', { ...good, watchers: [{ name: 'all', most: 2 }] }, 'Trigger: all: more than asked for'],
  [
    'nothing, outside the filter',
    {
      ...withJournal(...journal.map((each) => ({ ...each, texts: { ...each.texts, State: 'closed' } }))),
      watchers: [{ name: 'open', state: 'open' }],
    },
  ],
  ['a key in an error', withLedger({ leaks: ['…'] }), 'State: access key in an error'],
])('the audit finds %s', (_, evidence, ...expected) => {
  const found = violationsOf(audit(evidence)).map(({ about, kind }) => `${about}: ${kind}`);
  if (expected.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining(expected));
});

/** One sample for each of nine minutes. */
const samples = (of: (minute: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 10 }, (_, minute) => ({
    ...{ minute, heap: 50e6, buffers: 5e6, rss: 200e6, sockets: 0 },
    ...of(minute),
  }));

test.each<[string, (minute: number) => Partial<Sample>, string[]]>([
  ['constant memory', (minute) => ({ heap: 50e6 + (minute % 2) * 3e6 }), []],
  ['memory that grew while warming up', (minute) => ({ heap: Math.min(minute, 3) * 20e6 }), []],
  ['a growing heap', (minute) => ({ heap: 50e6 + minute * 1.5e6 }), ['memory grows']],
  ['growing buffers', (minute) => ({ buffers: minute * 2e6 }), ['memory grows']],
  ['a growing process', (minute) => ({ rss: 200e6 + minute * 12e6 }), ['memory grows']],
  ['open connections', (minute) => ({ sockets: minute }), ['connections left open']],
])('resources: %s', (_, of, expected) => {
  const { violations } = withCollector(() => auditResources(samples(of)));
  expect(violations.map(({ kind }) => kind)).toEqual(expected);
});

test('a sample counts no buffers that nobody holds any more', () => {
  const meter = new Meter();
  withCollector(() => {
    meter.end();
    for (let index = 0; index < 1000; index++) new Uint8Array(100_000).fill(index);
    meter.end();
  });
  const [before, after] = meter.samples.map(({ buffers }) => buffers);
  expect(after! - before!).toBeLessThan(10e6);
});

/** V8's collector, which only a flag shows. */
function withCollector<T>(task: () => T): T {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  try {
    return task();
  } finally {
    delete globalThis.gc;
  }
}
