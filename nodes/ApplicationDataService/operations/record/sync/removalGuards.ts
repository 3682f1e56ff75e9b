import type { IExecuteFunctions } from 'n8n-workflow';

import { namePart } from '../../../parts/model/errors';
import { counted, describeValues } from '../../../parts/values/describe';
import { keyLikeness } from '../../../service/read/keyedRecords';
import type { NonEmpty } from '../../../util/groupBy';
import { UserError } from '../../../util/userError';
import type { Rest, SyncWork } from './readSync';

const MAX_RECORDS_NAMED = 5;

/** Why it is refused, as the rest of a sentence, and what to do. */
type Objection = readonly [why: string, advice: string];

/**
 * Why the removal is refused; `null` if it is not. The message says how many records would be removed, and names the
 * first.
 * @param isWhole whether every item can be written: else it is not known how many would go, so no number counts.
 */
export function removalRefusal(works: NonEmpty<SyncWork>, rest: Rest, isWhole: boolean): UserError | null {
  const [work] = works;
  const tooManyNow = isWhole ? tooMany(work, rest) : null;
  const objection = partOfList(work.item.run.context) ?? tooManyNow ?? nearlySameKey(works, rest.missing);
  if (objection === null) return null;
  const [why, advice] = objection;
  return new UserError(`Sync refused to remove ${describeMissing(rest.missing)}: ${why}`, advice);
}

/** The input may be only a part of the list. Then the records of the rest would be removed. */
function partOfList(context: IExecuteFunctions): Objection | null {
  const { name, executeOnce } = context.getNode();
  if (executeOnce === true)
    return [
      'the node is set to Execute Once, so it receives only the first item',
      'Turn off Execute Once in the settings of the node.',
    ];
  const sources = sourcesOf(context, name);
  const parents = context.getParentNodes(name);
  const children = new Set([name, ...context.getChildNodes(name).map((child) => child.name)]);
  const loopWith = [...sources, ...parents.map((parent) => parent.name)].find((each) => children.has(each));
  if (loopWith !== undefined)
    return [
      `the node is in a loop with "${loopWith}", so each run has only part of the list`,
      'Take the node out of the loop and give it all items at once.',
    ];
  // A deactivated node passes on its input, which is empty if no node is connected before it.
  const isEmpty = (source: string): boolean =>
    parents.find((parent) => parent.name === source)?.disabled === true &&
    context.getParentNodes(source).length === 0;
  const filled = sources.filter((source) => !isEmpty(source));
  if (filled.length > 1)
    return [
      `several connections lead to the node (from ${filled.join(', ')}), so each may bring only part of the list`,
      'Join the branches with a Merge node before it.',
    ];
  // A retry is the same run.
  const run = context.getWorkflowDataProxy(0).$runIndex as number;
  if (run === 0) return null;
  return [
    `this is run ${run + 1} of the node in one execution, so each run may have only part of the list`,
    'Collect all items before the node, for example with a Merge or an Aggregate node, so that it runs once.',
  ];
}

/** The connections of a workflow by the node that they lead to, as n8n holds them. */
type Connections = Partial<
  Record<string, { readonly main?: readonly (readonly { readonly node: string }[] | null)[] }>
>;

/**
 * n8n reports the nodes directly before this one, each once. Two outputs of one node count twice, which only the
 * connections show. The execution contexts contain these, although their types do not say so.
 */
function sourcesOf(context: IExecuteFunctions, name: string): string[] {
  const { workflow } = context as { workflow?: { connectionsByDestinationNode?: Connections } };
  const inputs = workflow?.connectionsByDestinationNode?.[name]?.main;
  if (inputs !== undefined) return inputs.flatMap((each) => (each ?? []).map(({ node }) => node));
  return context.getParentNodes(name, { depth: 1 }).map((parent) => parent.name);
}

function tooMany({ terms, options }: SyncWork, { missing, inScope }: Rest): Objection | null {
  const advice = 'Make sure that the input is the whole list. If all of them should go,';
  if (missing.length > terms.maxRemovals)
    return [`Max Removals is ${terms.maxRemovals}`, `${advice} raise Max Removals.`];
  if (options.allowMostRemovals || missing.length * 2 <= inScope) return null;
  return [
    `that is more than half of the ${counted(inScope, 'record')} that may be removed`,
    `${advice} turn on the option "Allow Most to Be Removed".`,
  ];
}

/** An item whose key is written differently than before would be created again, and its record removed. */
function nearlySameKey(works: NonEmpty<SyncWork>, missing: Rest['missing']): Objection | null {
  if (missing.length === 0) return null;
  const sought = new Map(works.map(({ key }) => [keyLikeness(key), key]));
  for (const { id, key } of missing) {
    const like = sought.get(keyLikeness(key));
    if (like === undefined) continue;
    return [
      `the key of record ${id}, ${describeValues(key)}, is nearly the same as that of an item, ${describeValues(like)}`,
      `Write ${works[0].parts.map(namePart).join(' and ')} the same way in the input and in the application.`,
    ];
  }
  return null;
}

/** The number of records, and the IDs and short keys of the first ones. */
function describeMissing(missing: Rest['missing']): string {
  if (missing.length === 0) return 'records (none would go now)';
  return `${counted(missing.length, 'record')} (${describeFirst(missing)})`;
}

/** The IDs and short keys of the first records, and the number of the others. */
export function describeFirst(records: Rest['missing']): string {
  const first = records.slice(0, MAX_RECORDS_NAMED).map(({ id, key }) => `${id} ${describeValues(key)}`);
  if (records.length > MAX_RECORDS_NAMED) first.push(`and ${records.length - MAX_RECORDS_NAMED} more`);
  return first.join('; ');
}
