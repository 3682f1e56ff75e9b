import type { IDataObject, INode } from 'n8n-workflow';

import type { Values } from '../../common/setting';
import type { Application } from '../../service/application/definition';
import { PAGE_OVERLAP } from '../../service/read/paging';
import type { PollSettings } from '../poll/settings';
import { rememberedHash, watchedDiffer } from '../source/watchedHash';
import type { Watch } from '../source/watch';
import { hashText } from '../state/hash';
import type { TriggerParameters } from './triggerParameters';
import type { triggerOptions } from './triggerProperties';

/** More items at once would need too much of n8n's memory. The rest comes with the next polls. */
const MOST_RECORDS = 10_000;
/** The same with attachments, which must be downloaded within one poll. */
const MOST_RECORDS_WITH_FILES = 200;

/** What is watched, and where. */
export interface Watched {
  readonly base: string;
  readonly application: Application;
  /** Which credential is used. */
  readonly credential: string;
  readonly watch: Watch;
}

/** What a poll looks for. `isNew`: there is no saved state. */
export function readPollSettings(
  node: INode,
  what: Watched,
  { events, options }: TriggerParameters,
  isNew: boolean,
): PollSettings {
  const { credential, watch } = what;
  const { narrowing, watched, updatedPart, keyMode, test } = watch;
  return {
    fingerprint: fingerprint(node, what),
    credential,
    events,
    narrowed: narrowing.filter !== undefined || narrowing.keyword !== undefined || test !== null,
    differs: watched.length === 0 ? null : watchedDiffer(watched, keyMode),
    hashOf: rememberedHash(watched, keyMode),
    emitExisting: isNew && options.startFrom === 'existing',
    maxRecords: maxRecords(options),
    quick:
      updatedPart === null
        ? undefined
        : { part: updatedPart.id, fullScanEveryMs: options.fullScanEvery * 60_000 },
    overlap: PAGE_OVERLAP,
  };
}

function maxRecords({ maxRecordsPerPoll, downloadAttachments }: Values<typeof triggerOptions>): number {
  return maxRecordsPerPoll ?? (downloadAttachments ? MOST_RECORDS_WITH_FILES : MOST_RECORDS);
}

/**
 * Identifies what is watched: settings in a fixed order, each only if it differs from its default, so that a setting that a later
 * version adds changes nothing for users who do not use it. A filter with expressions counts as it is written: one that
 * moves with the date would otherwise start over each day and lose what changed in between. The credential is not included.
 */
function fingerprint({ parameters }: INode, { base, application, watch }: Watched): string {
  const { narrowing, watched } = watch;
  const options = (parameters.options ?? {}) as IDataObject;
  const { filterJson, keyword, keywordParts } = options;
  const { filters, match } = parameters;
  const written = { filters, match, filterJson, keyword, keywordParts };
  const meant = {
    filter: narrowing.filter,
    keyword: narrowing.keyword,
    keywordParts: isChosen(keywordParts) ? narrowing.searched.map(({ id }) => id) : undefined,
    // Conditions that the node checks are not in the filter.
    checked: watch.test === null ? undefined : { filters, match },
  };
  const hasExpression = JSON.stringify(written).includes('"=');
  const text = JSON.stringify({
    version: 1,
    base,
    application: application.id,
    narrowing: hasExpression ? written : meant,
    watched: watched.length === 0 ? undefined : watched.map(({ id }) => id),
  });
  return `1-${hashText(text).toString(36)}-${hashText([...text].reverse().join('')).toString(36)}`;
}

function isChosen(parts: unknown): boolean {
  return Array.isArray(parts) && parts.length > 0;
}
