import type { INodeProperties } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { readText } from '../../parts/values/wire';
import type { ConflictPolicy } from '../../service/write/conflict';
import type { ItemRun } from '../run/itemRun';

const POLICIES: readonly ConflictPolicy[] = ['overwrite', 'fail', 'skip', 'merge'];

/** What happens when somebody else changed the record meanwhile. */
export const conflictPolicyProperty: INodeProperties = {
  displayName: 'If the Record Was Changed',
  name: 'conflictPolicy',
  type: 'options',
  options: [
    {
      name: 'Fail',
      value: 'fail',
      description: 'Write nothing and stop with an error that names what differs',
    },
    {
      name: 'Merge',
      value: 'merge',
      description: 'Write if nobody changed the same parts since the item was read, otherwise fail',
    },
    { name: 'Overwrite', value: 'overwrite', description: 'Write anyway; the last one to write wins' },
    {
      name: 'Skip',
      value: 'skip',
      description: 'Write nothing and pass the item on with the outcome "conflict"',
    },
  ],
  default: 'overwrite',
  description: 'What to do when the record was changed since the item was read',
};

/** The policy of an item. */
export function readPolicy(item: ItemRun): ConflictPolicy {
  const saved = item.value('conflictPolicy', 'overwrite');
  const policy = POLICIES.find((known) => known === saved);
  if (policy !== undefined) return policy;
  throw new UserError(
    `There is no conflict policy "${readText(saved)}"`,
    `Choose one of: ${POLICIES.join(', ')}.`,
  );
}

/**
 * The revision an item goes by.
 * @throws UserError when it is no revision: without one nothing could be guarded.
 */
export function readRevision(item: ItemRun): number {
  const text = readText(item.value('revision', '')).trim();
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UserError(
    text === '' ? 'The revision is empty' : `"${text}" is no revision`,
    'Give the revision that the record had when it was read, for example {{ $json.revision }}, or choose Overwrite.',
  );
}

/** @throws UserError where Merge cannot know which values the item was read with. */
export function assertMergeable(item: ItemRun, policy: ConflictPolicy): void {
  if (policy === 'merge' && item.run.byAgent) {
    throw new UserError(
      'Merge does not go with an AI agent: it does not give the values that it has read',
      'In the node, choose Fail and let the model give the revision that it has read.',
    );
  }
  const mapping = item.value('parts') as { mappingMode?: unknown } | null | undefined;
  if (policy !== 'merge' || mapping?.mappingMode !== 'autoMapInputData') return;
  throw new UserError(
    'Merge does not go with Map Automatically',
    'The input then holds the new values, so it is not known which values the record was read with. Map the parts one by one.',
  );
}
