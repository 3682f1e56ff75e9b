import type { IPollFunctions } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { codecOf } from '../../parts/codecs';
import { namePart } from '../../parts/model/errors';
import { findPart } from '../../parts/model/lookup';
import type { KeyMode, Part } from '../../parts/model/part';
import { requiredApplication } from '../../common/properties';
import { match as matchSetting } from '../../common/filters';
import { simplify } from '../../common/options';
import { readSetting, readSettings, type PartChoice, type Values } from '../../common/setting';
import { triggerOptions, watchParts } from './triggerProperties';
import type { Application } from '../../service/application/definition';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { MatchMode } from '../../parts/conditions/condition';
import { readNarrowing } from '../../common/query';
import type { EventName } from '../poll/contract';
import type { Watch } from '../source/watch';

const EVENTS: readonly EventName[] = ['created', 'updated', 'deleted'];

/** The node's parameters, expressions resolved. */
export interface TriggerParameters {
  readonly reference: string;
  readonly events: ReadonlySet<EventName>;
  readonly filters: unknown;
  readonly match: MatchMode;
  readonly options: Values<typeof triggerOptions> & {
    readonly simplify: boolean;
    readonly watchParts: PartChoice;
  };
  readonly timezone: string;
}

/**
 * @param timeZone of the credential; empty for the workflow's own.
 * @throws UserError if a required setting is missing.
 */
export function readParameters(context: IPollFunctions, timeZone: string): TriggerParameters {
  const reference = requiredApplication(context.getNodeParameter('application', ''));
  const chosen = context.getNodeParameter('events', ['created', 'updated']) as unknown;
  const events = new Set(EVENTS.filter((event) => Array.isArray(chosen) && chosen.includes(event)));
  if (events.size === 0) throw new UserError('No event is selected', 'Select at least one under Trigger On.');
  const options = {
    ...readSettings(triggerOptions, context.getNodeParameter('options', {})),
    simplify: readSetting(simplify, context.getNodeParameter('simplify', true)),
    watchParts: readSetting(watchParts, context.getNodeParameter('watchParts', [])),
  };
  assertWatched(options);
  return {
    reference,
    events,
    filters: context.getNodeParameter('filters', {}),
    match: readSetting(matchSetting, context.getNodeParameter('match', 'all')),
    options,
    timezone: timeZone || context.getTimezone(),
  };
}

/** @throws UserError if previous values are wanted but no parts are watched. */
function assertWatched({ previousValues, watchParts: watched }: TriggerParameters['options']): void {
  if (previousValues === 'none' || watched.length > 0) return;
  throw new UserError(
    'Previous Values needs Only When These Parts Change: only the values of the parts selected there are kept',
    'Select the parts under Only When These Parts Change, or remove Previous Values.',
  );
}

/**
 * What is watched in the application.
 * @throws UserError if they cannot be watched.
 */
export function readWatch(
  { filters, match, options, timezone }: TriggerParameters,
  { parts }: Application,
  keyMode: KeyMode,
): Watch {
  const wanted = chosenParts(parts, options.partsToReturn, keyMode);
  const { test, ...narrowing } = readNarrowing({ ...options, filters, match }, { parts, keyMode, timezone });
  return {
    parts,
    keyMode,
    narrowing,
    test,
    wanted: wanted.length === 0 ? parts : wanted,
    watched: inOneOrder(chosenParts(parts, options.watchParts)),
    keepsValues: options.previousValues !== 'none',
    updatedPart: readUpdatedPart(parts, options.updatedPart),
  };
}

/** The order in which they were chosen does not matter. */
function inOneOrder(parts: readonly Part[]): readonly Part[] {
  return [...parts].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function readUpdatedPart(parts: readonly Part[], text: string): Part | null {
  if (text === '') return null;
  const part = findPart(parts, text);
  if (codecOf(part).compares === 'datetime') return part;
  throw new UserError(
    `Part ${namePart(part)} cannot tell when a record was changed: it is not a date/time part`,
    'Select the date/time part that the service sets when a record is changed, or none.',
  );
}
