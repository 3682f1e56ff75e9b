import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readCheckedConditions } from '../../../common/conditions';
import { checkedFiltersProperty, match } from '../../../common/filters';
import { choiceSetting, numberSetting } from '../../../common/setting';
import { type NamedPerson, peopleIn } from '../../../parts/conditions/namedPeople';
import { NearMisses } from '../../../parts/conditions/nearMisses';
import { RecordTest } from '../../../parts/conditions/recordTest';
import type { WriteContext } from '../../../parts/model/codec';
import { namePart } from '../../../parts/model/errors';
import { ownIdPart } from '../../../parts/types/id';
import type { Part } from '../../../parts/model/part';
import type { KeyedRecord, MatchKey, NearKeys } from '../../../service/read/keyedRecords';
import { attempt } from '../../../util/concurrently';
import { counted } from '../../../util/counted';
import { UserError } from '../../../util/userError';
import type { Item } from '../../run/item';

const MOST_NAMED = 5;

/** The facts that decide whether records may be removed. */
export interface RemovalFacts {
  /** Records that are not in the input and may be removed. */
  readonly missing: readonly KeyedRecord[];
  /** Whether every item can be written: else none of the records goes in this run. */
  readonly isWhole: boolean;
  /** Records in scope, including those that are in the input. */
  readonly inScope: number;
  readonly parts: readonly Part[];
  /** Knows the keys of all items. */
  readonly near: NearKeys;
  readonly standing: Standing;
  readonly maxRemovals: number;
  readonly allowMostRemovals: boolean;
}

/**
 * Why the removal is refused; `null` if it is not. The message says how many records would be removed, and names the
 * first. Where an item cannot be written, it is not known how many would go: then this counts for nothing.
 */
export function removalRefusal(facts: RemovalFacts): UserError | null {
  return partOfList(facts) ?? (facts.isWhole ? tooMany(facts) : null) ?? alike(facts);
}

/** The input may be only a part of the list. Then the records of the rest would be removed. */
function partOfList({ missing, standing }: RemovalFacts): UserError | null {
  const { executeOnce, loopWith, feeders, run } = standing;
  if (executeOnce) {
    return new UserError(
      `Sync refused to remove ${named(missing)}: the node is set to Execute Once, so it receives only the first item`,
      'Turn off Execute Once in the settings of the node.',
    );
  }
  if (loopWith !== null) {
    return new UserError(
      `Sync refused to remove ${named(missing)}: the node is in a loop with "${loopWith}", so each run has only part of the list`,
      'Take the node out of the loop and give it all items at once.',
    );
  }
  if (feeders.length > 1) {
    return new UserError(
      `Sync refused to remove ${named(missing)}: several connections lead to the node (from ${feeders.join(', ')}), so each may bring only part of the list`,
      'Join the branches with a Merge node before it.',
    );
  }
  if (run === 0) return null;
  return new UserError(
    `Sync refused to remove ${named(missing)}: this is run ${run + 1} of the node in one execution, so each run may have only part of the list`,
    'Collect all items before the node, for example with a Merge or an Aggregate node, so that it runs once.',
  );
}

function tooMany({ missing, inScope, maxRemovals, allowMostRemovals }: RemovalFacts): UserError | null {
  if (missing.length > maxRemovals) {
    return new UserError(
      `Sync refused to remove ${named(missing)}: Max Removals is ${maxRemovals}`,
      'Make sure that the input is the whole list. If all of them should go, raise Max Removals.',
    );
  }
  if (allowMostRemovals || missing.length * 2 <= inScope) return null;
  return new UserError(
    `Sync refused to remove ${named(missing)}: that is more than half of the ${counted(inScope, 'record')} that may be removed`,
    'Make sure that the input is the whole list. If all of them should go, turn on the option "Allow Most to Be Removed".',
  );
}

/** An item whose key is written differently than before would be created again, and its record removed. */
function alike({ missing, near, parts }: RemovalFacts): UserError | null {
  for (const { id, key } of missing) {
    const like = near.soughtLike(key);
    if (like === undefined) continue;
    return new UserError(
      `Sync refused to remove ${named(missing)}: the key of record ${id}, ${quoted(key)}, is nearly the same as that of an item, ${quoted(like)}`,
      `Write ${parts.map(namePart).join(' and ')} the same way in the input and in the application.`,
    );
  }
  return null;
}

function quoted(key: MatchKey): string {
  return key.map((text) => `"${text}"`).join(', ');
}

/** The number of records, and the IDs and short keys of the first ones. */
function named(missing: readonly KeyedRecord[]): string {
  if (missing.length === 0) return 'records (none would go now)';
  const first = missing.slice(0, MOST_NAMED).map(({ id, key }) => `${id} ${quoted(key)}`);
  const rest = missing.length - first.length;
  return [
    counted(missing.length, 'record'),
    `(${[...first, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')})`,
  ].join(' ');
}

/** The node's position in its workflow, as far as it shows whether the input is a complete list. */
export interface Standing {
  /** n8n gives the node the first item only. */
  readonly executeOnce: boolean;
  /** A node that comes before this one as well as after it. */
  readonly loopWith: string | null;
  readonly feeders: readonly string[];
  /** Which run of the node in this execution, from 0. A retry is the same run. */
  readonly run: number;
}

/** The connections of a workflow by the node that they lead to, as n8n holds them. */
type Connections = Partial<
  Record<string, { readonly main?: readonly (readonly { readonly node: string }[] | null)[] }>
>;

/** Finds out where the node is in the workflow. */
export function standingOf(context: IExecuteFunctions): Standing {
  const { name, executeOnce = false } = context.getNode();
  const children = new Set([name, ...context.getChildNodes(name).map((child) => child.name)]);
  const feeders = feedersOf(context, name);
  const before = [...feeders, ...context.getParentNodes(name).map((parent) => parent.name)];
  const run: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return {
    executeOnce,
    loopWith: before.find((each) => children.has(each)) ?? null,
    feeders: feeders.filter((feeder) => bringsItems(context, name, feeder)),
    run: typeof run === 'number' ? run : 0,
  };
}

/**
 * n8n reports the nodes directly before this one, each once. Two outputs of one node count twice, which only the
 * connections show. The execution contexts contain these, although their types do not say so.
 */
function feedersOf(context: IExecuteFunctions, name: string): string[] {
  const { workflow } = context as { workflow?: { connectionsByDestinationNode?: Connections } };
  const inputs = workflow?.connectionsByDestinationNode?.[name]?.main;
  if (inputs !== undefined) return inputs.flatMap((each) => (each ?? []).map(({ node }) => node));
  return context.getParentNodes(name, { depth: 1 }).map((parent) => parent.name);
}

/** A deactivated node passes on its input, which is empty if no node is connected before it. */
function bringsItems(context: IExecuteFunctions, name: string, feeder: string): boolean {
  const found = context.getParentNodes(name).find((parent) => parent.name === feeder);
  return found?.disabled !== true || context.getParentNodes(feeder).length > 0;
}

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
export function readRemovalTerms(
  item: Item,
  parts: readonly Part[],
  { keyMode, timezone }: WriteContext,
): RemovalTerms {
  const chosen = item.get(missing);
  return item.run.parameters.derived(READ_FROM[chosen], parts, () => {
    const isKept = chosen === 'keep';
    const filters = isKept ? {} : item.value('filters', {});
    const how = isKept ? 'all' : item.get(match);
    const read = attempt(() => readCheckedConditions(filters, { parts, keyMode, timezone }));
    const conditions = 'value' in read ? read.value : [];
    return {
      missing: chosen,
      maxRemovals: isKept ? 0 : item.get(maxRemovals),
      scope: new RecordTest(conditions, how, keyMode),
      people: peopleIn(conditions),
      near: new NearMisses(conditions, how, keyMode, ownIdPart(parts)),
      conditions: { filters, match: how },
      refusal: 'value' in read ? null : (read.error as Error),
    };
  });
}
