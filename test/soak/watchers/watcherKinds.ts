import type { INodeParameters } from 'n8n-workflow';

import type { Lane } from '../world/application';

/** A trigger workflow: its saved parameters, and what the audit needs to know about them. */
export interface WatcherKind {
  readonly name: string;
  readonly options?: INodeParameters;
  /** Reports only records in this state. */
  readonly state?: string;
  /** The only part that it watches. */
  readonly watched?: Lane;
  /** How many records it reports at most in one poll. */
  readonly most?: number;
  /** Reports existing records as created. */
  readonly existing?: boolean;
  readonly quick?: boolean;
}

/** The variants of the trigger with different algorithms. */
export const WATCHERS: readonly WatcherKind[] = [
  { name: 'full scan' },
  { name: 'quick polls', quick: true, options: { updatedPart: 'Updated at', fullScanEvery: 1 } },
  { name: 'filter', state: 'open' },
  { name: 'watched part', watched: 'Lane 1' },
  { name: 'max records', most: 7 },
  {
    name: 'quick filter',
    quick: true,
    state: 'closed',
    options: { updatedPart: 'Updated at', fullScanEvery: 1 },
  },
  {
    name: 'existing with files',
    existing: true,
    most: 40,
    options: { startFrom: 'existing', downloadAttachments: true },
  },
];

/** The node's saved parameters. */
export function parametersOf(
  { options = {}, state, watched, most }: WatcherKind,
  application: string,
): INodeParameters {
  return {
    application: { __rl: true, mode: 'id', value: application },
    events: ['created', 'updated', 'deleted'],
    ...(state !== undefined && {
      filters: { condition: [{ part: 'State', operator: 'equals', value: state, valueType: 'value' }] },
    }),
    ...(watched !== undefined && { watchParts: [watched] }),
    options: { ...options, ...(most !== undefined && { maxRecordsPerPoll: most }) },
  };
}
