import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { codecOf } from '../../parts/codecs';
import { namePart } from '../../parts/model/errors';
import { findPart } from '../../parts/model/lookup';
import type { KeyMode, Part } from '../../parts/model/part';
import { readApplicationReference } from '../../common/properties';
import { readSettings, type Values } from '../../common/setting';
import { triggerOptions } from './triggerProperties';
import type { Application } from '../../service/application/definition';
import { chosenParts } from '../../parts/choose/chosenParts';
import { readNarrowing } from '../../common/query';
import { MAX_LIST_LENGTH } from '../../service/http/listItems';
import { PAGE_OVERLAP } from '../../service/read/paging';
import type { EventName, PollSettings } from '../poll/settings';
import { hashText } from '../state/hash';
import type { Watch } from '../source/watch';

const EVENTS: readonly EventName[] = ['created', 'updated', 'deleted'];
/** More items at once would strain n8n's memory; the rest comes with the next polls. */
const MOST_RECORDS = 10_000;
/** With their attachments, which have to be there within one poll. */
const MOST_RECORDS_WITH_FILES = 200;

/** The node's parameters, expressions resolved. */
export interface TriggerParameters {
  readonly reference: string;
  readonly events: ReadonlySet<EventName>;
  readonly filters: unknown;
  readonly options: Values<typeof triggerOptions>;
  readonly timezone: string;
}

/** @throws UserError when something is missing without which nothing can be watched. */
export function readParameters(context: IPollFunctions): TriggerParameters {
  const reference = readApplicationReference(context.getNodeParameter('application', ''));
  if (reference === '') {
    throw new UserError(
      'No application is chosen',
      'Choose one from the list, or enter its ID or identifier.',
    );
  }
  const chosen = context.getNodeParameter('events', ['created', 'updated']) as unknown;
  const events = new Set(EVENTS.filter((event) => Array.isArray(chosen) && chosen.includes(event)));
  if (events.size === 0) throw new UserError('No event is chosen', 'Choose at least one under Trigger On.');
  return {
    reference,
    events,
    filters: context.getNodeParameter('filters', {}),
    options: readSettings(triggerOptions, context.getNodeParameter('options', {})),
    timezone: context.getTimezone(),
  };
}

/**
 * What of the application is watched.
 * @throws UserError where they mean nothing that can be watched.
 */
export function readWatch(
  { filters, options, timezone }: TriggerParameters,
  { parts }: Application,
  keyMode: KeyMode,
): Watch {
  const wanted = chosenParts(parts, options.partsToReturn);
  return {
    parts,
    keyMode,
    narrowing: readNarrowing({ ...options, filters }, { parts, keyMode, timezone }),
    wanted: wanted.length === 0 ? parts : wanted,
    watched: chosenParts(parts, options.watchParts),
    updatedPart: readUpdatedPart(parts, options.updatedPart),
  };
}

function readUpdatedPart(parts: readonly Part[], text: string): Part | null {
  if (text === '') return null;
  const part = findPart(parts, text);
  if (codecOf(part) === codecOf({ type: 'datetime' })) return part;
  throw new UserError(
    `Part ${namePart(part)} cannot tell when a record was changed: it is no date/time part`,
    'Choose the date/time part that the service sets when a record is changed, or none.',
  );
}

/** What a poll looks for. `isNew`: nothing was ever remembered. */
export function readPollSettings(
  node: INode,
  base: string,
  application: Application,
  watch: Watch,
  { events, options }: TriggerParameters,
  isNew: boolean,
): PollSettings {
  const { narrowing, watched, updatedPart } = watch;
  return {
    fingerprint: fingerprint(node, base, application, watch),
    events,
    narrowed: narrowing.filter !== undefined || narrowing.keyword !== undefined,
    watchesParts: watched.length > 0,
    emitExisting: isNew && options.startFrom === 'existing',
    maxRecords: maxRecords(options),
    quick:
      updatedPart === null
        ? undefined
        : { part: updatedPart.id, fullScanEveryMs: options.fullScanEvery * 60_000 },
    paging: { length: MAX_LIST_LENGTH, overlap: PAGE_OVERLAP },
  };
}

function maxRecords({ maxRecordsPerPoll, downloadAttachments }: Values<typeof triggerOptions>): number {
  return maxRecordsPerPoll ?? (downloadAttachments ? MOST_RECORDS_WITH_FILES : MOST_RECORDS);
}

/**
 * Of base URL, application, narrowing and watched parts. A narrowing with expressions counts as it is written: one that
 * moves with the date would otherwise begin anew each day and lose what changed in between.
 */
function fingerprint(
  { parameters }: INode,
  base: string,
  { id }: Application,
  { narrowing, watched }: Watch,
): string {
  const options = (parameters.options ?? {}) as IDataObject;
  const written = [parameters.filters, options.filterJson, options.keyword, options.keywordParts];
  const meant = [
    narrowing.filter,
    narrowing.keyword,
    chosenTexts(options.keywordParts).length === 0 ? [] : narrowing.searched.map((part) => part.id),
  ];
  const hasExpression = JSON.stringify(written).includes('"=');
  const text = JSON.stringify([base, id, hasExpression ? written : meant, watched.map((part) => part.id)]);
  return `${hashText(text).toString(36)}-${hashText([...text].reverse().join('')).toString(36)}`;
}

function chosenTexts(saved: unknown): readonly unknown[] {
  return Array.isArray(saved) ? saved : [];
}
