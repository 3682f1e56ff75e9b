import type { IDataObject } from 'n8n-workflow';

/** The node's output for an item; `null` if the node failed and has no output for single items. */
export type Said = IDataObject | null;

/** Whether the node says that an item was done. */
type Claim = 'done' | 'notDone' | 'perhaps';

export function claimOf(said: Said | undefined): Claim {
  if (said === null || said === undefined) return 'perhaps';
  if (typeof said.error !== 'string') return 'done';
  if (/outcome unknown|did not return its ID|not known whether/.test(said.error)) return 'perhaps';
  return /is (created|updated|unchanged), but|was written, but|wrote this item/.test(said.error)
    ? 'done'
    : 'notDone';
}
