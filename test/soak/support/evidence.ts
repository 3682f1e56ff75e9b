import type { Evidence } from '../audit/audit';
import type { Delivery, Line } from '../ledger/line';
import type { Entry } from '../world/journal';

type Change = Partial<Entry> & Pick<Entry, 'record' | 'event'>;

/** Journal entries in order. A change keeps the values that it does not mention. */
function journalOf(...changes: readonly Change[]): Entry[] {
  const now = new Map<string, Entry>();
  return changes.map((change, index) => {
    const before = now.get(change.record);
    const entry: Entry = {
      at: 0,
      key: `key of ${change.record}`,
      state: 'open',
      lanes: {},
      rows: [],
      files: [],
      ...before,
      revision: change.event === 'delete' ? (before?.revision ?? 0) : (before?.revision ?? 0) + 1,
      number: index + 1,
      ...change,
    };
    now.set(change.record, entry);
    return entry;
  });
}

export function line(more: Partial<Line>): Line {
  return { operation: 'update', token: 't', record: null, reported: 'updated', ...more };
}

export function delivery(watcher: string, ...events: Delivery['events']): Delivery {
  return { watcher, poll: 1, events, lost: false };
}

/** A short time without violations: of one existing and one created record, both were changed and one was deleted. */
export function goodEvidence(): Evidence {
  const row = { id: '7', item: 'rows-1.0', mark: '' };
  const file = { id: '5', name: 'files-1.0.bin', size: 3 };
  const journal = journalOf(
    { event: 'insert', record: '1', key: 'first-0' },
    { event: 'insert', record: '2', key: 'new-1', lanes: { 'Lane 1': 'new-1' } },
    { event: 'update', record: '1', lanes: { 'Lane 1': 'up-1' } },
    { event: 'update', record: '1', lanes: { 'Lane 1': 'up-1', 'Lane 2': 'up-2' } },
    { event: 'update', record: '2', rows: [row] },
    { event: 'update', record: '2', rows: [{ ...row, mark: 'rows-2' }] },
    { event: 'update', record: '2', files: [file] },
    { event: 'update', record: '2', rows: [] },
    { event: 'delete', record: '1' },
  );
  return {
    journal,
    beginning: 1,
    hashes: new Map([['5', 'abc']]),
    watchers: [{ name: 'all' }],
    samples: [],
    ledger: {
      leaks: [],
      seen: [{ by: 'reader', id: '1', revision: 2, lanes: { 'Lane 1': 'up-1' } }],
      seenFiles: [{ by: 'files', name: 'files-1.0.bin', sha256: 'abc' }],
      lines: [
        line({
          operation: 'create',
          token: 'new-1',
          key: 'new-1',
          lanes: ['Lane 1'],
          reported: 'created',
          id: '2',
        }),
        line({
          token: 'up-1',
          record: '1',
          lanes: ['Lane 1'],
          guard: { policy: 'fail', revision: 1, lanes: {} },
        }),
        line({
          token: 'up-2',
          record: '1',
          lanes: ['Lane 2'],
          guard: { policy: 'merge', revision: 1, lanes: {} },
        }),
        line({ operation: 'addRow', token: 'rows-1', record: '2', rows: ['rows-1.0'], reported: 'created' }),
        line({ operation: 'updateRow', token: 'rows-2', record: '2', markedRow: '7' }),
        line({
          operation: 'upload',
          token: 'files-1',
          record: '2',
          files: [{ name: 'files-1.0.bin', sha256: 'abc' }],
        }),
        line({
          operation: 'deleteRow',
          token: 'rows-3',
          record: '2',
          removedRows: ['7'],
          reported: 'deleted',
        }),
        line({ operation: 'delete', token: 'del-1', deleted: ['1'], reported: 'deleted' }),
        line({ token: 'no-1', record: '2', lanes: ['Lane 3'], reported: 'refused' }),
      ],
      deliveries: [
        delivery(
          'all',
          { event: 'updated', id: '1', revision: 2, previousRevision: 1, lanes: { 'Lane 1': 'up-1' } },
          { event: 'created', id: '2', revision: 1, previousRevision: null, lanes: { 'Lane 1': 'new-1' } },
        ),
        delivery(
          'all',
          {
            event: 'updated',
            id: '1',
            revision: 3,
            previousRevision: 2,
            lanes: { 'Lane 1': 'up-1', 'Lane 2': 'up-2' },
          },
          { event: 'updated', id: '2', revision: 5, previousRevision: 1, lanes: { 'Lane 1': 'new-1' } },
          { event: 'deleted', id: '1', revision: null, previousRevision: 3, lanes: {} },
        ),
      ],
    },
  };
}
