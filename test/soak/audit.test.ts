import { REFUSED_THOUGH_DONE } from './world/weather';
import { audit, violationsOf, type Evidence } from './audit/audit';
import type { Line } from './ledger/line';
import type { Entry } from './world/journal';
import { delivery, goodEvidence, line } from './support/evidence';

const good = goodEvidence();

/** The violations that the audit finds. */
function complaints(evidence: Evidence): string[] {
  return violationsOf(audit(evidence)).map(({ about, kind }) => `${about}: ${kind}`);
}

function withLedger(ledger: Partial<Evidence['ledger']>): Evidence {
  return { ...good, ledger: { ...good.ledger, ...ledger } };
}

function withLine(token: string, change: Partial<Line>): Evidence {
  return withLedger({
    lines: good.ledger.lines.map((each) => (each.token === token ? { ...each, ...change } : each)),
  });
}

function withJournal(change: (journal: readonly Entry[]) => Entry[]): Evidence {
  const journal = change(good.journal).map((entry, index) => ({ ...entry, number: index + 1 }));
  return { ...good, journal };
}

test('finds nothing if all went well', () => {
  expect(complaints(good)).toEqual([]);
  const { Writes, 'Trigger: all': trigger } = audit(good);
  expect(Writes?.counts).toMatchObject({ acknowledged: 6, 'present exactly once': 6, missing: 0 });
  expect(trigger?.counts).toMatchObject({ created: 1, updated: 3, deleted: 1, 'never reported': 0 });
});

describe('writes', () => {
  test.each([
    ['an update that was acknowledged and is not there', 'up-9', {}],
    ['a row', 'rows-9', { operation: 'addRow', rows: ['rows-9.0'], reported: 'created' }],
    ['a file', 'files-9', { operation: 'upload', files: [{ name: 'files-9.0.bin', sha256: 'x' }] }],
  ] as const)('that are lost: %s', (_, token, more) => {
    const lost = line({ token, record: '2', lanes: ['Lane 4'], ...more });
    expect(complaints(withLedger({ lines: [...good.ledger.lines, lost] }))).toEqual(['Writes: missing']);
  });

  test('that were done twice', () => {
    const again = withJournal((journal) => [
      ...journal,
      { ...journal[1]!, record: '3', key: 'new-1', number: 0, event: 'insert', revision: 1 },
    ]);
    expect(complaints(again)).toEqual(
      expect.arrayContaining(['Writes: done twice', 'Keys: two records with one key']),
    );
  });

  test('that overwrote a later one', () => {
    const other = line({ token: 'up-3', record: '2', lanes: ['Lane 1'] });
    const last = good.journal[7]!;
    const reverted = withJournal((journal) => [
      ...journal,
      { ...last, revision: 6, lanes: { 'Lane 1': 'up-3' } },
      { ...last, revision: 7, lanes: { 'Lane 1': 'new-1' } },
    ]);
    const evidence = { ...reverted, ledger: { ...good.ledger, lines: [...good.ledger.lines, other] } };
    expect(complaints(evidence)).toContain('Writes: done twice');
  });

  test('that were sent again without effect', () => {
    const again = withJournal((journal) => [
      ...journal.slice(0, 8),
      { ...journal[7]!, revision: 6 },
      ...journal.slice(8),
    ]);
    expect(complaints(again)).toContain('All changes: without any effect');
  });

  test('that were refused, but done', () => {
    expect(complaints(withLine('up-2', { reported: 'refused' }))).toEqual(['Writes: refused but done']);
    expect(complaints(withLine('up-2', { reported: 'conflict' }))).toEqual(['Writes: refused but done']);
  });

  test('that the service refused although it had done them: counted apart, where the record cannot tell', () => {
    const guard = { policy: 'skip', revision: 1, lanes: {} } as const;
    const evidence = {
      ...withLine('up-2', { reported: 'conflict', guard }),
      untruths: [[0, Number.MAX_SAFE_INTEGER] as const],
    };
    expect(complaints(evidence)).toEqual([]);
    expect(audit(evidence).Writes?.counts).toMatchObject({
      'refused but done, as the service alone can know': 1,
    });
    expect(complaints({ ...evidence, untruths: [] })).toEqual(['Writes: refused but done']);
  });

  test('without rows: refused although done, as the service alone can know', () => {
    const message = `The service refused: ${REFUSED_THOUGH_DONE} [W1]`;
    const untruths = [[0, Number.MAX_SAFE_INTEGER] as const];
    const refused = { reported: 'refused', message } as const;
    expect(complaints({ ...withLine('up-2', { ...refused, rows: [] }), untruths })).toEqual([]);
    expect(complaints({ ...withLine('up-2', { ...refused, markedRow: '1' }), untruths })).toEqual([
      'Writes: refused but done',
    ]);
  });

  describe('that add records, where the service refused what it had done', () => {
    const untruths = [[0, Number.MAX_SAFE_INTEGER] as const];
    const message = `The service refused: ${REFUSED_THOUGH_DONE} [W1]`;
    const again = withJournal((journal) => [
      ...journal,
      { ...journal.find(({ lanes }) => lanes['Lane 1'] === 'new-1')!, number: 99, record: '99' },
    ]);
    const lines = again.ledger.lines.map((each) =>
      each.token === 'new-1' ? { ...each, operation: 'create' as const, retries: true } : each,
    );

    test.each([
      ['refused', withLine('new-1', { operation: 'create', reported: 'refused', message, rows: [] })],
      ['found by a further try', withLine('new-1', { operation: 'upsert', reported: 'updated' })],
    ])('%s', (_, evidence) => {
      expect(complaints(evidence)).not.toEqual([]);
      expect(complaints({ ...evidence, untruths })).toEqual([]);
    });

    test('added again by a further try: counted apart', () => {
      const evidence = { ...again, ledger: { ...again.ledger, lines } };
      const found = ['Writes: done twice', 'Keys: two records with one key'];
      expect(complaints(evidence)).toEqual(expect.arrayContaining(found));
      const told = complaints({ ...evidence, untruths });
      expect(told.filter((each) => found.includes(each))).toEqual([]);
    });
  });

  describe('of plain values, where the service refused what it had done', () => {
    const untruths = [[0, Number.MAX_SAFE_INTEGER] as const];
    const plain = { guard: undefined, retries: true } as const;
    const row = { ...plain, rows: ['up-2.0'] };
    const last = good.journal[3]!;
    /** After the first write, somebody may have changed the value before it was written again. */
    const journals = {
      'over the value of another': [
        { ...last, revision: 4, lanes: { ...last.lanes, 'Lane 2': 'up-1' } },
        { ...last, revision: 5 },
      ],
      'without effect': [{ ...last, revision: 4 }],
    };

    test.each([
      ['over the value of another', 'Writes: done twice', 'Writes'],
      ['without effect', 'All changes: without any effect', 'All changes'],
    ] as const)('written again by a further try %s: counted apart', (how, violation, about) => {
      const { journal } = withJournal(([...entries]) => {
        entries.splice(4, 0, ...journals[how]);
        return entries;
      });
      const evidence = (change: Partial<Line>) => ({ ...withLine('up-2', change), journal, untruths });
      const told = evidence(plain);
      expect(complaints(told)).not.toContain(violation);
      expect(audit(told)[about]?.counts).toMatchObject({
        'written again, as it was refused untruly': 1,
      });
      expect(complaints({ ...told, untruths: [] })).toContain(violation);
      expect(complaints(evidence({ ...plain, retries: false }))).toContain(violation);
      expect(complaints(evidence(row))).toContain(violation);
    });

    test.each(['unchanged', 'refused'] as const)('and a further try told "%s": counted apart', (reported) => {
      const evidence = { ...withLine('up-2', { ...plain, reported }), untruths };
      expect(complaints(evidence)).toEqual([]);
      expect(complaints({ ...evidence, untruths: [] })).toEqual(['Writes: refused but done']);
      const once = { ...withLine('up-2', { ...plain, reported, retries: false }), untruths };
      expect(complaints(once)).toEqual(['Writes: refused but done']);
    });
  });

  test('in doubt: both outcomes are allowed, and counted', () => {
    const open = line({ token: 'up-8', record: '2', lanes: ['Lane 4'], reported: 'unknown' });
    const evidence = withLedger({ lines: [...withLine('up-2', { reported: 'unknown' }).ledger.lines, open] });
    expect(complaints(evidence)).toEqual([]);
    expect(audit(evidence).Writes?.counts).toMatchObject({
      'outcome unknown: done': 1,
      'outcome unknown: not done': 1,
    });
  });

  test('that made a change which their guard forbids', () => {
    const fail = { policy: 'fail', revision: 1, lanes: {} } as const;
    expect(complaints(withLine('up-2', { guard: fail }))).toEqual(['Writes: over changes of others']);
    const merge = { policy: 'merge', revision: 1, lanes: { 'Lane 2': 'other' } } as const;
    expect(complaints(withLine('up-2', { guard: merge }))).toEqual(['Writes: over changes of others']);
  });

  test('that were reported for another record, or as another outcome', () => {
    expect(complaints(withLine('new-1', { id: '9' }))).toEqual(['Writes: reported wrongly']);
    expect(complaints(withLine('new-1', { reported: 'updated' }))).toEqual(['Writes: reported wrongly']);
  });

  test('that nobody asked for', () => {
    const lines = good.ledger.lines.filter(({ token }) => token !== 'rows-2');
    expect(complaints(withLedger({ lines }))).toEqual(['All changes: asked for by nobody']);
  });

  test('that emptied values of others', () => {
    const emptied = withJournal((journal) => [...journal, { ...journal[7]!, revision: 6, lanes: {} }]);
    expect(complaints(emptied)).toContain('All changes: lost values');
  });
});

describe('deletions', () => {
  test('that were acknowledged, but not done', () => {
    const there = line({ operation: 'delete', token: 'd', deleted: ['2'], reported: 'deleted' });
    expect(complaints(withLedger({ lines: [...good.ledger.lines, there] }))).toEqual([
      'Deletions: said to be deleted but there',
    ]);
    expect(
      complaints(withLedger({ lines: [...good.ledger.lines, { ...there, reported: 'notFound' }] })),
    ).toEqual(['Deletions: said not to exist but there']);
  });

  test('that were refused, but done', () => {
    expect(complaints(withLine('del-1', { reported: 'refused' }))).toEqual([
      'Deletions: refused but deleted',
    ]);
  });

  test.each(['del-1', 'rows-3'])('that nobody asked for (%s)', (token) => {
    const lines = good.ledger.lines.filter((each) => each.token !== token);
    expect(complaints(withLedger({ lines }))).toEqual(['Deletions: lost: nobody asked to delete it']);
  });
});

describe('contents', () => {
  test('of a file that differs from the sent one', () => {
    expect(complaints({ ...good, hashes: new Map([['5', 'def']]) })).toEqual(['Attachments: wrong content']);
    const seenFiles = [{ by: 'files', name: 'files-1.0.bin', sha256: 'def' }];
    expect(complaints(withLedger({ seenFiles }))).toEqual(['Attachments: wrong content downloaded']);
  });

  test('of a record that never had these values', () => {
    const seen = [{ by: 'reader', id: '1', revision: 2, lanes: { 'Lane 1': 'other' } }];
    expect(complaints(withLedger({ seen }))).toEqual(['Reads: never was like this']);
  });
});

describe('events', () => {
  const [first, second] = good.ledger.deliveries;
  const update = second!.events[1]!;

  test('that are missing: an update, a deletion', () => {
    const without = (id: string) =>
      withLedger({
        deliveries: [first!, { ...second!, events: second!.events.filter((event) => event.id !== id) }],
      });
    expect(complaints(without('2'))).toEqual(['Trigger: all: never reported']);
    expect(complaints(without('1'))).toEqual(['Trigger: all: never reported']);
  });

  test('that are missing: everything', () => {
    expect(complaints(withLedger({ deliveries: [] }))).toEqual([
      'Trigger: all: never reported',
      'Trigger: all: never reported',
    ]);
  });

  test('that come twice', () => {
    const deliveries = [first!, second!, delivery('all', update)];
    expect(complaints(withLedger({ deliveries }))).toEqual(['Trigger: all: reported twice']);
    const deleted = [first!, second!, delivery('all', second!.events[2]!)];
    expect(complaints(withLedger({ deliveries: deleted }))).toEqual(['Trigger: all: reported twice']);
  });

  test.each([
    ['a revision that never existed', { revision: 9 }],
    ['values of another revision', { lanes: { 'Lane 1': 'up-1' } }],
    ['another previous revision', { previousRevision: 4 }],
  ])('that report %s', (_, wrong) => {
    const events = second!.events.map((event) => (event === update ? { ...event, ...wrong } : event));
    const found = complaints(withLedger({ deliveries: [first!, { ...second!, events }] }));
    expect(found).toContain('Trigger: all: reported wrongly');
  });

  test('of a deletion that did not happen', () => {
    const deleted = { event: 'deleted', id: '2', revision: null, previousRevision: 5, lanes: {} } as const;
    const deliveries = [first!, second!, delivery('all', deleted)];
    expect(complaints(withLedger({ deliveries }))).toContain('Trigger: all: reported wrongly');
  });

  test('that a crash may lose are counted separately', () => {
    const evidence = withLedger({ deliveries: [first!, { ...second!, lost: true }] });
    expect(complaints(evidence)).toEqual([]);
    const counts = audit(evidence)['Trigger: all']?.counts;
    expect(counts?.['lost in a crash']).toBe(2);
  });

  test('without a change of the watched part', () => {
    const watchers = [{ name: 'all', watched: 'Lane 1' }] as const;
    expect(complaints({ ...good, watchers })).toEqual([
      'Trigger: all: reported wrongly',
      'Trigger: all: reported wrongly',
    ]);
  });

  test('of more records than asked for', () => {
    expect(complaints({ ...good, watchers: [{ name: 'all', most: 2 }] })).toEqual([
      'Trigger: all: more than asked for',
    ]);
  });

  test('of records that do not meet the filter are not missing', () => {
    const closed = withJournal((journal) => journal.map((entry) => ({ ...entry, state: 'closed' })));
    const evidence = { ...closed, watchers: [{ name: 'open', state: 'open' }] };
    expect(complaints(evidence)).toEqual([]);
  });
});

test('complains about an access key in an error', () => {
  expect(complaints(withLedger({ leaks: ['…'] }))).toEqual(['Secrets: access key in an error']);
});
