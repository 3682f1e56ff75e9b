import { audit, violationsOf, type Evidence } from './audit/audit';
import { auditResources } from './audit/resources';
import type { Line } from './ledger/line';
import type { Sample } from './util/meter';
import type { Entry } from './world/journal';
import { delivery, goodEvidence, line } from './support/evidence';

/** An audit that finds nothing could be blind: each of these is a fault that it must find. */
const good = goodEvidence();
const [first, second] = good.ledger.deliveries;
const update = second!.events[1]!;
const last = good.journal[7]!;

const withLedger = (ledger: Partial<Evidence['ledger']>): Evidence => ({
  ...good,
  ledger: { ...good.ledger, ...ledger },
});
const withLines = (change: (lines: readonly Line[]) => Line[]): Evidence =>
  withLedger({ lines: change(good.ledger.lines) });
const plus = (...more: Line[]): Evidence => withLines((lines) => [...lines, ...more]);
const without = (token: string): Evidence =>
  withLines((lines) => lines.filter((each) => each.token !== token));
const withLine = (token: string, change: Partial<Line>): Evidence =>
  withLines((lines) => lines.map((each) => (each.token === token ? { ...each, ...change } : each)));
const withJournal = (change: (journal: readonly Entry[]) => Entry[]): Evidence => ({
  ...good,
  journal: change(good.journal).map((entry, index) => ({ ...entry, number: index + 1 })),
});
const told = (...deliveries: Evidence['ledger']['deliveries'][number][]): Evidence =>
  withLedger({ deliveries });
const toldOf = (wrong: object): Evidence =>
  told(first!, {
    ...second!,
    events: second!.events.map((each) => (each === update ? { ...each, ...wrong } : each)),
  });
const notTold = (id: string): Evidence =>
  told(first!, { ...second!, events: second!.events.filter((event) => event.id !== id) });
const deletion = line({ operation: 'delete', token: 'd', deleted: ['2'], reported: 'deleted' });
const unsent = { record: '2', lanes: ['Lane 4'] } as const;
const over = 'Writes: over changes of others';
const wrongly = 'Trigger: all: reported wrongly';

test.each<[string, Evidence, string[]]>([
  ['nothing, if all went well', good, []],
  ['an update that is not there', plus(line({ token: 'up-9', ...unsent })), ['Writes: missing']],
  [
    'a row that is not there',
    plus(line({ operation: 'addRow', token: 'r', record: '2', rows: ['r.0'], reported: 'created' })),
    ['Writes: missing'],
  ],
  [
    'a file that is not there',
    plus(line({ operation: 'upload', token: 'f', record: '2', files: [{ name: 'f.bin', sha256: 'x' }] })),
    ['Writes: missing'],
  ],
  [
    'a record that was added twice',
    withJournal((journal) => [
      ...journal,
      { ...journal[1]!, record: '3', key: 'new-1', event: 'insert', revision: 1 },
    ]),
    ['Writes: done twice', 'Keys: two records with one key'],
  ],
  [
    'a write without effect',
    withJournal((journal) => [...journal.slice(0, 8), { ...last, revision: 6 }, ...journal.slice(8)]),
    ['All changes: without any effect'],
  ],
  ['a refused write that was done', withLine('up-2', { reported: 'refused' }), ['Writes: refused but done']],
  ['a conflict that was done', withLine('up-2', { reported: 'conflict' }), ['Writes: refused but done']],
  [
    'neither outcome of a write in doubt',
    withLines((lines) => [
      ...lines.map((each): Line => (each.token === 'up-2' ? { ...each, reported: 'unknown' } : each)),
      line({ token: 'up-8', ...unsent, reported: 'unknown' }),
    ]),
    [],
  ],
  ['fail, broken', withLine('up-2', { guard: { policy: 'fail', revision: 1, lanes: {} } }), [over]],
  [
    'merge, broken',
    withLine('up-2', { guard: { policy: 'merge', revision: 1, lanes: { 'Lane 2': 'x' } } }),
    [over],
  ],
  ['another record', withLine('new-1', { id: '9' }), ['Writes: reported wrongly']],
  ['another outcome', withLine('new-1', { reported: 'updated' }), ['Writes: reported wrongly']],
  ['what nobody asked for', without('rows-2'), ['All changes: asked for by nobody']],
  [
    'emptied values of others',
    withJournal((journal) => [...journal, { ...last, revision: 6, lanes: {} }]),
    ['All changes: lost values'],
  ],
  ['a deletion that was not done', plus(deletion), ['Deletions: said to be deleted but there']],
  [
    'a record that is said not to exist',
    plus({ ...deletion, reported: 'notFound' }),
    ['Deletions: said not to exist but there'],
  ],
  ['a refused deletion', withLine('del-1', { reported: 'refused' }), ['Deletions: refused but deleted']],
  ['a record that nobody deleted', without('del-1'), ['Deletions: lost: nobody asked to delete it']],
  ['a row that nobody deleted', without('rows-3'), ['Deletions: lost: nobody asked to delete it']],
  ['a wrong file', { ...good, hashes: new Map([['5', 'def']]) }, ['Attachments: wrong content']],
  [
    'a wrong download',
    withLedger({ seenFiles: [{ by: 'files', name: 'files-1.0.bin', sha256: 'def' }] }),
    ['Attachments: wrong content downloaded'],
  ],
  [
    'a wrong read',
    withLedger({ seen: [{ by: 'reader', id: '1', revision: 2, lanes: { 'Lane 1': 'other' } }] }),
    ['Reads: never was like this'],
  ],
  ['an update that was not told', notTold('2'), ['Trigger: all: never reported']],
  ['a deletion that was not told', notTold('1'), ['Trigger: all: never reported']],
  [
    'an event that came twice',
    told(first!, second!, delivery('all', update)),
    ['Trigger: all: reported twice'],
  ],
  [
    'a deletion that came twice',
    told(first!, second!, delivery('all', second!.events[2]!)),
    ['Trigger: all: reported twice'],
  ],
  ['a revision that never was', toldOf({ revision: 9 }), [wrongly]],
  ['values of another revision', toldOf({ lanes: { 'Lane 1': 'up-1' } }), [wrongly]],
  ['another previous revision', toldOf({ previousRevision: 4 }), [wrongly]],
  [
    'a deletion that was none',
    told(
      first!,
      second!,
      delivery('all', { event: 'deleted', id: '2', revision: null, previousRevision: 5, lanes: {} }),
    ),
    [wrongly],
  ],
  ['nothing, where a crash may lose', told(first!, { ...second!, lost: true }), []],
  ['what is not watched', { ...good, watchers: [{ name: 'all', watched: 'Lane 1' }] }, [wrongly]],
  ['too many', { ...good, watchers: [{ name: 'all', most: 2 }] }, ['Trigger: all: more than asked for']],
  [
    'nothing, outside the filter',
    {
      ...withJournal((journal) => journal.map((entry) => ({ ...entry, state: 'closed' }))),
      watchers: [{ name: 'open', state: 'open' }],
    },
    [],
  ],
  ['a key in an error', withLedger({ leaks: ['…'] }), ['Secrets: access key in an error']],
])('the audit finds %s', (_, evidence, expected) => {
  const found = violationsOf(audit(evidence)).map(({ about, kind }) => `${about}: ${kind}`);
  if (expected.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining(expected));
});

/** One sample for each of nine minutes. */
const samples = (of: (minute: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 10 }, (_, minute) => ({
    ...{ minute, heap: 50e6, buffers: 5e6, rss: 200e6, sockets: 0, handles: 3 },
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
  const collectable = globalThis.gc;
  globalThis.gc = (() => undefined) as NonNullable<typeof globalThis.gc>;
  const { violations } = auditResources(samples(of));
  globalThis.gc = collectable;
  expect(violations.map(({ kind }) => kind)).toEqual(expected);
});
