import type { RecordTable } from '../../../../nodes/ApplicationDataService/trigger/state/recordTable';
import type { TriggerState } from '../../../../nodes/ApplicationDataService/trigger/state/stateCodec';

/** An initial state with these records. */
export function stateOf(records: RecordTable): TriggerState {
  return {
    fingerprint: 'one|two "three"',
    events: ['created', 'updated'],
    records,
    learnsUpTo: 12,
    scan: { after: 17, offset: 15, newest: '2026-11-20T10:00', began: 1_790_000_000_000 },
    pages: { length: 1250, since: 1_790_000_000_000 },
    waiting: new Map([
      ['12', { tries: 2, revision: 5, at: 1_790_000_000_000 }],
      ['19', { tries: 0, revision: 1, at: 1_790_000_000_002 }],
    ]),
    quick: { part: '4', watermark: '2026-11-20T09:59', scanned: 1_790_000_000_001 },
    failing: 1,
  };
}
