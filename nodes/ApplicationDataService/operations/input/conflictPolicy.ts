import { choiceSetting } from '../../common/setting';
import { UserError } from '../../util/userError';
import { readText } from '../../parts/values/shapes';
import type { ConflictPolicy } from '../../service/write/update';
import type { Item } from '../run/item';

/** What happens when somebody else changed the record meanwhile. */
export const conflictPolicy = choiceSetting<ConflictPolicy>(
  {
    displayName: 'If the Record Was Changed',
    name: 'conflictPolicy',
    type: 'options',
    options: [
      {
        name: 'Fail',
        value: 'fail',
        description: 'Write nothing and fail with an error that names the differences',
      },
      {
        name: 'Merge',
        value: 'merge',
        description: 'Write if nobody changed the same parts since the item was read; otherwise fail',
      },
      { name: 'Overwrite', value: 'overwrite', description: 'Write anyway; the last writer wins' },
      {
        name: 'Skip',
        value: 'skip',
        description: 'Write nothing and return the outcome "conflict"',
      },
    ],
    default: 'overwrite',
    description: 'What to do if someone changed the record after the item was read',
  },
  { mustBeSaid: true },
);

/**
 * The revision an item goes by.
 * @throws UserError when it is no revision: without one nothing could be guarded.
 */
export function readRevision(item: Item): number {
  const text = readText(item.value('revision', '')).trim();
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UserError(
    text === '' ? 'The revision is empty' : `"${text}" is not a valid revision`,
    'Enter the revision that the record had when it was read, for example {{ $json.revision }}, or select Overwrite.',
  );
}

/** @throws UserError where Merge cannot know which values the item was read with. */
export function assertMergeable(item: Item, policy: ConflictPolicy): void {
  if (policy === 'merge' && item.run.byAgent) {
    throw new UserError(
      'Merge does not work with an AI agent: it does not return the values that it has read',
      'In the node, select Fail and let the model fill in the revision that it has read.',
    );
  }
  const mapping = item.value('parts') as { mappingMode?: unknown } | null | undefined;
  if (policy !== 'merge' || mapping?.mappingMode !== 'autoMapInputData') return;
  throw new UserError(
    'Merge does not work with Map Automatically',
    'The input then contains the new values, so the values that were read are unknown. Map the parts one by one.',
  );
}
