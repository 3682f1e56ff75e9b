import type { INode, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { attempt } from '../../util/concurrently';
import { hashText } from '../../util/hashText';
import { asUserError, UserError } from '../../util/userError';
import { chosenParts } from '../../parts/choose';
import { soughtBy } from '../../parts/conditions/condition';
import { namePart } from '../../parts/model/errors';
import { type EventName, EVENTS } from '../../parts/model/keys';
import { findPart } from '../../parts/model/lookup';
import type { KeyMode, Part } from '../../parts/model/part';
import { isObject, readText } from '../../parts/values/shapes';
import { CONDITION_FIELDS, filtersProperty, match } from '../../common/filters';
import { partsToReturn, simplify } from '../../common/options';
import {
  applicationProperty,
  eventsProperty,
  optionsProperty,
  partList,
  partsList,
  readEvents,
  requiredApplication,
} from '../../common/properties';
import { filterJson, keyword, keywordParts, readFilterJson, readNarrowing } from '../../common/query';
import {
  assertExpressionsGiven,
  choiceSetting,
  numberSetting,
  optionSwitch,
  type PartChoice,
  partsSetting,
  readSettings,
  type Setting,
  strictChoice,
  textSetting,
  type Values,
} from '../../common/setting';
import type { ApplicationSession } from '../../service/application/session';
import { CREDENTIAL_NAME } from '../../service/http/credentials';
import type { PollSettings } from '../poll/context';
import { searchedParts, type Watch } from '../source/watch';

/** Parameters of the trigger. Names and values are saved in workflows: never change. */

const downloadInPoll = optionSwitch(false, {
  displayName: 'Download Attachments',
  name: 'downloadAttachments',
  description: 'Whether to download the files of the returned parts to binary fields',
});

const fullScanEvery = numberSetting({
  displayName: 'Full Scan Every (Minutes)',
  name: 'fullScanEvery',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 60,
  description:
    "With 'Updated Part Name or ID': how often to compare all records. Only this finds deletions, recalculations and workflow steps, which do not change the updated part.",
});

const maxRecordsPerPoll: Setting<number | undefined> = {
  ...numberSetting({
    displayName: 'Max Records per Poll',
    name: 'maxRecordsPerPoll',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 1000,
    description:
      'Max number of records to return in one poll. The oldest come first, the rest with the next polls.',
  }),
  absent: undefined,
};

/** Only these events compare a record with what it was. */
const comparing = ['deleted', 'updated'];

const previousValues: Setting<'none' | 'updated' | 'updatedAndDeleted'> = {
  ...choiceSetting<'updated' | 'updatedAndDeleted'>({
    displayName: 'Previous Values',
    name: 'previousValues',
    type: 'options',
    displayOptions: { show: { '/events': comparing } },
    options: [
      {
        name: 'With Updates',
        value: 'updated',
        description: 'The old and new values of the parts that changed, under "changes"',
      },
      {
        name: 'With Updates and Deletions',
        value: 'updatedAndDeleted',
        description: 'Also the last known values of a deleted record, under "previous"',
      },
    ],
    default: 'updated',
    description:
      "Needs 'Only When These Parts Change'. The values of those parts are kept unencrypted in n8n's database, for whoever may read the workflow. A right that is withdrawn from the access key looks like a deletion, so its values are returned, too.",
  }),
  absent: 'none',
};

const startFrom = strictChoice<'now' | 'existing'>({
  displayName: 'Start From',
  name: 'startFrom',
  type: 'options',
  options: [
    { name: 'Now', value: 'now', description: 'Only what happens after the workflow is activated' },
    {
      name: 'Existing Records',
      value: 'existing',
      description: 'First return all existing records as created',
    },
  ],
  default: 'now',
  description:
    "What the first poll does. N8n keeps the memory of a trigger under the name of the node: a trigger that you rename begins anew, and 'Existing Records' then returns every record again.",
});

const updatedPart = textSetting({
  displayName: 'Updated Part Name or ID',
  name: 'updatedPart',
  ...partList(
    'getDateTimeParts',
    'Date/time part that the service sets at every change. Makes polls of large applications quick: they list the records that changed last instead of comparing all.',
  ),
});

/** A constant, because the linter wants a label of this kind to end in "Names or IDs". */
const ONLY_WHEN = 'Only When These Parts Change';

const ONLY_IF = 'A record counts as updated only if one of these parts changed.';

const watchParts = partsSetting(
  { displayName: ONLY_WHEN, name: 'watchParts', ...partsList('getParts', ONLY_IF) },
  'nothing',
);

export const triggerOptions = {
  downloadAttachments: downloadInPoll,
  filterJson,
  fullScanEvery,
  keyword,
  keywordParts,
  maxRecordsPerPoll,
  partsToReturn,
  previousValues,
  startFrom,
  updatedPart,
};

export const triggerProperties: INodeProperties[] = [
  applicationProperty,
  eventsProperty(
    EVENTS,
    'What starts the workflow. Without Record Created, Record Updated includes changed records that meet the filters for the first time.',
  ),
  { ...watchParts.property, displayOptions: { show: { events: comparing } } },
  match.property,
  filtersProperty,
  simplify.property,
  optionsProperty(triggerOptions),
];

const SETTINGS = { ...triggerOptions, match, simplify, watchParts };

/** The node's parameters, expressions resolved. */
export interface TriggerParameters {
  readonly reference: string;
  readonly events: ReadonlySet<EventName>;
  readonly filters: unknown;
  readonly options: Values<typeof SETTINGS>;
  readonly timezone: string;
}

/** What the editor calls them. Of two fields of one name, the last one. */
const LABELS: ReadonlyMap<string, string> = new Map(
  [...Object.values(SETTINGS).map(({ property }) => property), ...CONDITION_FIELDS].map(
    ({ name, displayName }) => [name, displayName],
  ),
);

const NARROWING = ['filters', 'match', 'watchParts', 'keyword', 'keywordParts', 'filterJson', 'startFrom'];

/**
 * @param timeZone of the credential; empty for the workflow's own.
 * @throws UserError if a required setting is missing, an expression for what narrows the events gives nothing, or
 * previous values are wanted but no parts are watched.
 */
export function readParameters(context: IPollFunctions, timeZone: string): TriggerParameters {
  const reference = requiredApplication(context.getNodeParameter('application', ''));
  const { parameters } = context.getNode();
  const saved: Readonly<Record<string, unknown>> = { ...(parameters.options as object), ...parameters };
  const filters = context.getNodeParameter('filters', {});
  const given: Readonly<Record<string, unknown>> = {
    ...(context.getNodeParameter('options', {}) as object),
    filters,
    match: context.getNodeParameter('match', 'all'),
    simplify: context.getNodeParameter('simplify', true),
    watchParts: context.getNodeParameter('watchParts', []),
  };
  for (const name of NARROWING)
    if (name in saved)
      assertExpressionsGiven(name, saved[name], narrowsNothing(name, given[name]) ? '' : given[name], LABELS);
  const options = readSettings(SETTINGS, given);
  if (options.previousValues !== 'none' && options.watchParts.length === 0)
    throw new UserError(
      'Previous Values needs Only When These Parts Change: only the values of the parts selected there are kept',
      'Select the parts under Only When These Parts Change, or remove Previous Values.',
    );
  const events = readEvents(context.getNodeParameter('events', ['created', 'updated']), EVENTS);
  return { reference, events, filters, options, timezone: timeZone || context.getTimezone() };
}

function narrowsNothing(name: string, value: unknown): boolean {
  if (name === 'keyword') return readText(value).trim() === '';
  return name === 'filterJson' && readFilterJson(value) === null;
}

/** What is watched in the application. @throws UserError if it cannot be watched. */
export function readWatch(
  { filters, options, timezone }: TriggerParameters,
  { application: { parts }, knownKeyMode }: ApplicationSession,
): Watch {
  const keyMode = knownKeyMode ?? 'name';
  const wanted = chosenParts(parts, options.partsToReturn, keyMode);
  const { test, ...narrowing } = readNarrowing({ ...options, filters }, { parts, keyMode, timezone });
  return {
    parts,
    keyMode,
    narrowing,
    test,
    wanted: wanted.length === 0 ? parts : wanted,
    watched: watchedParts(parts, options.watchParts, keyMode),
    keepsValues: options.previousValues !== 'none',
    updatedPart: readUpdatedPart(parts, options.updatedPart),
  };
}

/** @throws UserError that says where a part that was deleted is still watched. */
function watchedParts(parts: readonly Part[], chosen: PartChoice, keyMode: KeyMode): readonly Part[] {
  const outcome = attempt(() => chosenParts(parts, chosen, keyMode));
  if ('value' in outcome) return outcome.value;
  const error = asUserError(outcome.error);
  throw error.reworded(
    `${error.message}, but it is watched`,
    'Take it out of Only When These Parts Change, or select another part there.',
  );
}

function readUpdatedPart(parts: readonly Part[], text: string): Part | null {
  if (text === '') return null;
  const part = findPart(parts, text);
  if (part.codec.compares === 'datetime') return part;
  throw new UserError(
    `Part ${namePart(part)} cannot tell when a record was changed: it is not a date/time part`,
    'Select the date/time part that the service sets when a record is changed, or none.',
  );
}

/** More items at once would need too much of n8n's memory. The rest comes with the next polls. */
const MAX_RECORDS_A_POLL = 10_000;
/** So many with attachments, which must be downloaded within one poll. */
const MAX_RECORDS_WITH_FILES = 200;

/** What a poll looks for. @param applicationId of the watched application. */
export function readPollSettings(
  node: INode,
  { base, parameters }: { readonly base: string; readonly parameters: TriggerParameters },
  applicationId: string,
  watch: Watch,
): PollSettings {
  const { events, options } = parameters;
  // Its ID in n8n, which stays when the key in it is replaced.
  const credential = node.credentials?.[CREDENTIAL_NAME]?.id ?? '';
  const text = JSON.stringify({ base, credential, application: applicationId, ...meantBy(node, watch) });
  return {
    fingerprint: [hashText(text), hashText(text, 1)].map((hash) => hash.toString(36)).join('-'),
    events,
    emitExisting: options.startFrom === 'existing' && events.has('created'),
    maxRecords:
      options.maxRecordsPerPoll ??
      (options.downloadAttachments ? MAX_RECORDS_WITH_FILES : MAX_RECORDS_A_POLL),
    ...(watch.updatedPart !== null && {
      quick: { part: watch.updatedPart.id, fullScanEveryMs: options.fullScanEvery * 60_000 },
    }),
  };
}

/**
 * Which records are meant, in one form for everything that means the same: parts by their IDs, and no key that is at
 * its default. An expression counts as it is written: one that moves with the date would otherwise start over each day
 * and lose what changed in between. The service looks for a keyword in the parts that it is asked for, so these belong
 * to it.
 */
function meantBy({ parameters }: INode, watch: Watch): object {
  const { filters, match: mode } = parameters as Record<string, unknown>;
  const options = (parameters.options ?? {}) as Readonly<Record<string, unknown>>;
  const written = isObject(filters) ? filters.condition : filters;
  const conditions = Array.isArray(written)
    ? (written as unknown[]).map((each) => conditionMeant(each, watch.parts)).sort()
    : readText(written);
  const keyword = readText(options.keyword).trim();
  const json = readText(options.filterJson).trim();
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(conditions.length > 1 && mode !== 'all' && { match: mode }),
    filterJson: json.startsWith('=') ? json : readFilterJson(options.filterJson),
    ...(keyword !== '' && { keyword, searched: searchedParts(watch) }),
  };
}

function conditionMeant(written: unknown, parts: readonly Part[]): string {
  const {
    part,
    operator = 'equals',
    customOperator,
    value,
    valueType = 'value',
  } = isObject(written) ? written : {};
  const takesNone = soughtBy(readText(operator)) === 'nothing';
  return JSON.stringify([
    partIdOf(readText(part), parts),
    operator === 'custom' ? `custom ${readText(customOperator)}` : operator,
    ...(takesNone
      ? []
      : [Array.isArray(value) ? value.map(readText).join('\n') : readText(value), valueType]),
  ]);
}

/** The ID of a part that is named by its ID, name or identifier; the text itself if there is none. */
function partIdOf(text: string, parts: readonly Part[]): string {
  const id = attempt(() => findPart(parts, text).id);
  return 'value' in id ? id.value : text;
}
