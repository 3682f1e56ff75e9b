import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
  type Condition,
  type ConditionOperator,
  hasIds,
  type MatchMode,
  OPERATORS,
  readOperands,
  sentValues,
  soughtBy,
} from '../parts/conditions/condition';
import { namePart, typeLabel } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import { assertReadable, keyObstacle } from '../parts/model/obstacle';
import { isSeveral, type KeyMode, type Part, type WriteContext } from '../parts/model/part';
import { describeValue } from '../parts/values/describe';
import { isBlank, isObject, readText } from '../parts/values/shapes';
import { filterCondition, type FilterObject } from '../service/read/recordList';
import { refusedAt, UserError } from '../util/userError';
import { emptyParameter } from './errors';
import { partList } from './properties';
import { oneOf, strictChoice, wordIn } from './setting';

const ANY_BUT_TABLES = 'For all parts but table parts';
const TEXTS =
  'For all parts but table parts, by their text. Of several choices, users and groups, one whole value must match.';
const ORDERED = 'For numbers, dates, times, date/times, the ID and auto calculations';
const MIDNIGHT = `${ORDERED}. Compared with a date/time, a day means its midnight`;
const EVERY_PART = 'For all parts, table parts too';

/** By use, not alphabetically: common operators first, the free one last. */
const OPERATOR_CHOICES: INodePropertyOptions[] = [
  { name: 'Equals', value: 'equals', description: ANY_BUT_TABLES },
  { name: 'Does Not Equal', value: 'notEquals', description: ANY_BUT_TABLES },
  { name: 'Is One Of', value: 'oneOf', description: `${ANY_BUT_TABLES}. Enter one value per line.` },
  { name: 'Contains', value: 'contains', description: TEXTS },
  { name: 'Does Not Contain', value: 'notContains', description: TEXTS },
  { name: 'Starts With', value: 'startsWith', description: TEXTS },
  { name: 'Ends With', value: 'endsWith', description: TEXTS },
  { name: 'Is Greater Than', value: 'gt', description: MIDNIGHT },
  { name: 'Is Greater Than or Equal To', value: 'gte', description: ORDERED },
  { name: 'Is Less Than', value: 'lt', description: ORDERED },
  {
    name: 'Is Less Than or Equal To',
    value: 'lte',
    description: `${MIDNIGHT}. To include that day, use Is Less Than the next day.`,
  },
  { name: 'Is Empty', value: 'isNull', description: EVERY_PART },
  { name: 'Is Not Empty', value: 'isNotNull', description: EVERY_PART },
  { name: 'Custom', value: 'custom', description: 'Any other operator that the service supports' },
];

export const CONDITION_FIELDS: INodeProperties[] = [
  { displayName: 'Part Name or ID', name: 'part', ...partList('getFilterParts', 'Part to compare.') },
  {
    displayName: 'Operator',
    name: 'operator',
    type: 'options',
    options: OPERATOR_CHOICES,
    default: 'equals',
    description:
      'The service checks Equals, Contains, Is Greater Than or Equal To, Is Empty and Custom. The node checks the others on the records it reads.',
  },
  {
    displayName: 'Custom Operator',
    name: 'customOperator',
    type: 'string',
    displayOptions: { show: { operator: ['custom'] } },
    default: '',
    placeholder: 'e.g. <=',
    description:
      'The operator as the service spells it; "=" is written "equals". Leave the value empty if the operator needs none.',
  },
  {
    displayName: 'Compare By',
    name: 'valueType',
    type: 'options',
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'] } },
    options: [
      {
        name: 'Value or Name',
        value: 'value',
        description:
          'What the record shows: a text, a number, a date, a choice, or the name of a user or group',
      },
      {
        name: 'Choice From a List',
        value: 'option',
        description: 'The same, but you pick one of the choices of the part instead of typing it',
      },
      {
        name: 'ID',
        value: 'id',
        description:
          'The ID of a user, a group, a file or a choice, e.g. from another node, instead of its name. For choices only where the service checks. On other parts, the same as Value.',
      },
    ],
    default: 'value',
    description: 'Leave this as it is, unless you want to pick a choice from a list or have IDs',
  },
  {
    displayName: 'Value Name or ID',
    name: 'value',
    ...partList('getPartChoices', 'One of the options of the part.', ['&part', 'application.value']),
    builderHint: {
      propertyHint:
        'The list needs application in the current parameters, and the part in the last condition of filters.',
    },
    displayOptions: { show: { valueType: ['option'] }, hide: { operator: ['isNull', 'isNotNull'] } },
  },
  // Last: n8n names what a language model fills in after the last field of a name.
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    displayOptions: { hide: { operator: ['isNull', 'isNotNull'], valueType: ['option'] } },
    default: '',
    description:
      'Value to compare with. Enter several one per line, or as a list by an expression. Dates as yyyy-MM-dd, times as HH:mm. Values with an offset are converted to the time zone.',
  },
];

export const match = strictChoice<MatchMode>({
  displayName: 'Must Match',
  name: 'match',
  type: 'options',
  options: [
    { name: 'All Conditions', value: 'all' },
    { name: 'Any Condition', value: 'any' },
  ],
  default: 'all',
  description: 'Whether a record must meet all conditions of the filters, or at least one of them',
});

export const filtersProperty: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add filter',
  default: {},
  description: 'Conditions that a record must meet',
  builderHint: {
    propertyHint:
      'part is a part name or ID. Filter here rather than in a Filter node after this node: the service then sends less.',
  },
  options: [{ displayName: 'Condition', name: 'condition', values: CONDITION_FIELDS }],
};

/** The filters where the node checks all conditions itself. */
export const checkedFiltersProperty: INodeProperties = {
  ...filtersProperty,
  options: [
    {
      displayName: 'Condition',
      name: 'condition',
      values: CONDITION_FIELDS.filter(({ name }) => name !== 'customOperator').map((property) => {
        if (property.name !== 'operator') return property;
        const options = OPERATOR_CHOICES.filter(({ value }) => value !== 'custom');
        return { ...property, options, description: 'The node checks this on the records it reads' };
      }),
    },
  ],
};

export interface QueryContext {
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
  readonly onMovedDay?: WriteContext['onMovedDay'];
}

/** What one condition asks of the service, and what of the node: one of them, or the same of both. */
export interface ReadCondition {
  readonly filter?: FilterObject;
  readonly check?: Condition;
}

/** A condition as a workflow saves it (parameters.md, Get Many): texts, or what expressions return. */
type SavedCondition = Partial<
  Record<'part' | 'operator' | 'customOperator' | 'value' | 'valueType', unknown>
>;

/** What a value is compared by; an option of the part is its shown value. */
const VALUE_TYPES = ['value', 'option', 'id'] as const;

/** The saved conditions; the node checks those that the service does not know, or all. @throws UserError */
export function readConditions(
  saved: unknown,
  context: QueryContext,
  isChecked = false,
): readonly ReadCondition[] {
  if (isBlank(saved) || (isObject(saved) && Object.keys(saved).length === 0)) return [];
  const conditions: unknown = isObject(saved) ? saved.condition : saved;
  // A filter that is lost would be met by every record, so what is no list of conditions is refused.
  if (!Array.isArray(conditions)) throw notConditions('The filters are not a list of conditions', conditions);
  return conditions.map((condition, index) =>
    refusedAt(`Filter ${index + 1}`, () => readCondition(condition, context, isChecked)),
  );
}

/** The saved conditions, all checked by the node itself (parameters.md, "Sync removals"). @throws UserError */
export function readCheckedConditions(saved: unknown, context: QueryContext): readonly Condition[] {
  return readConditions(saved, context, true).flatMap(({ check }) => check ?? []);
}

function notConditions(what: string, given: unknown): UserError {
  return new UserError(
    `${what}, but ${describeValue(given)}`,
    'Check the expression that returns them. Each is an object with part, operator and value.',
  );
}

function readCondition(saved: unknown, context: QueryContext, isChecked: boolean): ReadCondition {
  assertComplete(saved);
  const part = partOf(saved, context.parts);
  const operator = operatorOf(saved);
  if (operator === 'custom') {
    if (!isChecked) return { filter: customFilter(part, saved, context) };
    throw new UserError(
      'The operator "Custom" cannot be used here: only the service knows what it means',
      'Select another operator. The node checks these conditions itself, on the values it reads.',
    );
  }
  assertFits(part, operator);
  const needsNone = soughtBy(operator) === 'nothing';
  const byId = !needsNone && isById(saved, part);
  // On screen, filters reach a table part only through its child parts (service-facts).
  const code = isChecked || part.codec.content === 'rows' ? undefined : OPERATORS[operator].code;
  if (byId && code === undefined) assertShowsIds(part, isChecked ? 'here' : `with "${labelOf(operator)}"`);
  const operands = needsNone ? [] : readOperands(part, saved.value, { ...context, operator, byId });
  if (operands.length === 0 && !needsNone) throw noValue(part);
  const check = { part, operator, operands, byId };
  if (code !== undefined) return asked(check, code, context);
  assertCheckable(part, context);
  return { check };
}

/** One that the service checks: of several values, it finds who holds the value, and the node looks who is equal. */
function asked(check: Condition, code: string, context: QueryContext): ReadCondition {
  const { part, operator, operands, byId } = check;
  if (soughtBy(operator) === 'nothing') return { filter: filterCondition(part, code) };
  const sent = sentValues(part, operands);
  const filter = filterCondition(part, 'contains', sent, byId);
  // A record shows choices without their IDs.
  if (byId && part.codec.choices !== undefined) return { filter };
  if (!isSeveral(part)) return { filter: filterCondition(part, code, sent, byId) };
  if (operator === 'equals') assertCheckable(part, context);
  return unreadable(part, context) === null ? { filter, check } : { filter };
}

function assertShowsIds(part: Part, where: string): void {
  if (part.codec.choices === undefined) return;
  throw new UserError(
    `Part ${namePart(part)} cannot be compared by ID ${where}: records do not show the IDs of choices, so the node cannot check them`,
    'Set Compare By to "Value or Name" and enter the text of the choice, or select it with "Choice From a List".',
  );
}

/** What an operator of the service's own needs is not known: it may do without a value. */
function customFilter(part: Part, saved: SavedCondition, context: QueryContext): FilterObject {
  const given = readText(saved.customOperator).trim();
  if (given === '')
    throw emptyParameter('The custom operator', 'it as the service spells it, "=" as "equals"');
  // n8n takes a typed "=" for an expression with nothing in it.
  const code = given === 'equals' ? '=' : given;
  if (Object.hasOwn(saved, 'value') && isNothing(saved.value)) throw noValue(part);
  const byId = isById(saved, part);
  const operands = readOperands(part, saved.value, { ...context, operator: 'custom', byId });
  if (operands.length === 0) return filterCondition(part, code);
  return filterCondition(part, code, sentValues(part, operands), byId);
}

function assertFits(part: Part, operator: ConditionOperator): void {
  const isTable = part.codec.content === 'rows';
  const fits = (each: string): boolean =>
    isTable ? soughtBy(each) === 'nothing' : soughtBy(each) !== 'order' || part.codec.compares !== undefined;
  if (fits(operator)) return;
  const named = OPERATOR_CHOICES.filter(({ value }) => value !== 'custom' && fits(String(value)));
  throw new UserError(
    `Part ${namePart(part)} cannot be compared with "${labelOf(operator)}": ${isTable ? 'it is a table part' : 'it holds no numbers, dates or times'}`,
    `Select one of these operators: ${named.map((each) => each.name).join(', ')}. Or select another part.`,
  );
}

function labelOf(operator: ConditionOperator): string {
  return OPERATOR_CHOICES.find(({ value }) => value === operator)!.name;
}

function noValue(part: Part): UserError {
  return new UserError(
    `There is no value to compare part ${namePart(part)} with`,
    'Enter a value, or check the expression that should return it. To find records in which the part is empty, use the operator "Is Empty".',
  );
}

/** Why the node cannot tell a part's values in a record; `null` if it can. */
function unreadable(part: Part, { parts, keyMode }: QueryContext): string | null {
  const isRevision = part[keyMode] === 'revision' ? 'it has the key of the revision, "revision"' : null;
  return keyObstacle(part, parts, keyMode) ?? isRevision;
}

function assertCheckable(part: Part, context: QueryContext): void {
  assertReadable(part, context.parts, context.keyMode, unreadable(part, context));
}

/** What is absent has its default; what an expression was to give, and did not, has none. */
function assertComplete(condition: unknown): asserts condition is SavedCondition {
  if (!isObject(condition)) throw notConditions('It is not a condition', condition);
  const more = soughtBy(readText(condition.operator)) === 'nothing' ? [] : ['customOperator', 'valueType'];
  const lost = ['part', 'operator', ...more].find(
    (key) => Object.hasOwn(condition, key) && isNothing(condition[key]),
  );
  if (lost === undefined) return;
  throw emptyParameter(`"${CONDITION_FIELDS.find(({ name }) => name === lost)?.displayName}"`);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** @throws UserError if no part is chosen, or one that cannot be filtered on. */
function partOf({ part: saved }: SavedCondition, parts: readonly Part[]): Part {
  const text = readText(saved);
  if (text.trim() === '')
    throw new UserError('No part is selected', 'Select the part to compare, or remove this filter.');
  const part = findPart(parts, text);
  if (part.codec.filterable === true) return part;
  throw new UserError(
    `Part ${namePart(part)} cannot be filtered on: the service does not filter by parts of type ${typeLabel(part)}`,
    'Filter on another part. A part of a type that is not known here can be named in the option "Filter (JSON)".',
  );
}

/** Where values have no IDs, "by ID" means by value. */
function isById({ valueType }: SavedCondition, part: Part): boolean {
  return oneOf(VALUE_TYPES, wordIn(valueType, 'value'), 'way to compare by') === 'id' && hasIds(part);
}

function operatorOf({ operator }: SavedCondition): ConditionOperator | 'custom' {
  const name = wordIn(operator, 'equals');
  const named = Object.entries(OPERATORS).find(([, { code }]) => code === name)?.[0] ?? name;
  const names = OPERATOR_CHOICES.map(({ value }) => value as ConditionOperator | 'custom');
  const advice = 'For any other, select "custom" and enter it as the custom operator.';
  return oneOf(names, named, 'operator', advice);
}
