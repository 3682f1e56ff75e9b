import type { INodeProperties } from 'n8n-workflow';

import { readCheckedConditions } from '../../../common/conditions';
import { checkedFiltersProperty, match } from '../../../common/filters';
import { choiceSetting, numberSetting } from '../../../common/setting';
import { peopleIn, type NamedPerson } from '../../../parts/conditions/namedPeople';
import { NearMisses } from '../../../parts/conditions/nearMisses';
import { RecordTest } from '../../../parts/conditions/recordTest';
import type { WriteContext } from '../../../parts/model/codec';
import { ownIdPart } from '../../../parts/model/lookup';
import type { Part } from '../../../parts/model/part';
import { attempt } from '../../../util/concurrently';
import type { Item } from '../../run/item';

const missing = choiceSetting<'keep' | 'delete'>(
  {
    displayName: 'Records Not in the Input',
    name: 'missing',
    type: 'options',
    options: [
      { name: 'Keep', value: 'keep', description: 'Leave them as they are' },
      { name: 'Delete', value: 'delete', description: 'Delete them, once all items were written' },
    ],
    default: 'keep',
    description: 'What to do with records that match no input item',
  },
  { mustBeSaid: true },
);

const whereDeleted = { show: { missing: ['delete'] } };

const maxRemovals = {
  ...numberSetting(
    {
      displayName: 'Max Removals',
      name: 'maxRemovals',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 100,
      displayOptions: whereDeleted,
      description: 'Write and delete nothing if more records than this would be deleted',
    },
    100,
  ),
  mustBeSaid: true,
};

/** What happens to records that are not in the input. */
export interface RemovalTerms {
  readonly missing: 'keep' | 'delete';
  readonly maxRemovals: number;
  /** Decides which of the records may be removed. */
  readonly scope: RecordTest;
  /** People and groups that the conditions look for by name. */
  readonly people: readonly NamedPerson[];
  readonly near: NearMisses;
  /** Its conditions as they were saved. */
  readonly conditions: unknown;
  /** Why the conditions cannot be used: then nothing is written for any item. `null` if they can. */
  readonly refusal: Error | null;
}

export const removalProperties: readonly INodeProperties[] = [
  missing.property,
  maxRemovals.property,
  {
    ...match.property,
    displayOptions: whereDeleted,
    description:
      'Whether a record must meet all conditions of the filters to be deleted, or at least one of them',
  },
  {
    ...checkedFiltersProperty,
    displayName: 'Only Remove Records That Match',
    displayOptions: whereDeleted,
    description:
      'Limits which records may be deleted. Without conditions, all records that are not in the input may be deleted.',
  },
];

/** The settings that the terms are read from. */
const READ_FROM = {
  keep: ['options', 'missing'],
  delete: ['options', 'missing', 'maxRemovals', 'match', 'filters'],
};

/**
 * @throws UserError for a setting that cannot be read. A condition that cannot be used is refused for all items
 * together.
 */
export function readRemovalTerms(item: Item, parts: readonly Part[], context: WriteContext): RemovalTerms {
  const names = READ_FROM[item.get(missing)];
  return item.run.parameters.derived(names, parts, () => readTerms(item, parts, context));
}

function readTerms(item: Item, parts: readonly Part[], { keyMode, timezone }: WriteContext): RemovalTerms {
  const chosen = item.get(missing);
  if (chosen === 'keep') {
    const scope = new RecordTest([], 'all', keyMode);
    const near = new NearMisses([], 'all', keyMode, null);
    return { missing: chosen, maxRemovals: 0, scope, people: [], near, conditions: null, refusal: null };
  }
  const filters = item.value('filters', {});
  const how = item.get(match);
  const read = attempt(() => readCheckedConditions(filters, { parts, keyMode, timezone }));
  const conditions = 'value' in read ? read.value : [];
  return {
    missing: chosen,
    maxRemovals: item.get(maxRemovals),
    scope: new RecordTest(conditions, how, keyMode),
    people: peopleIn(conditions),
    near: new NearMisses(conditions, how, keyMode, ownIdPart(parts)),
    conditions: { filters, match: how },
    refusal: 'value' in read ? null : (read.error as Error),
  };
}
