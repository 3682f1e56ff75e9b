import { partKey } from '../../../parts/model/keys';
import { duplicateKeys } from '../../../parts/model/lookup';
import { isRevision, recordReader } from '../../../parts/record';
import { readItems, readText } from '../../../parts/values/shapes';
import type { ByteStream } from '../../../service/http/byteStream';
import { MAX_LIST_LENGTH, NO_MATCHING_DATA } from '../../../service/http/client';
import { isRefusal, toServiceError } from '../../../service/http/errors';
import { readFiles } from '../../../service/read/attachments';
import { fetchFile } from '../../../service/read/download';
import { countRecords, type RawRecord } from '../../../service/read/recordList';
import { readRecord } from '../../../service/read/records';
import { counted } from '../../../util/counted';
import { eachType, finds, hasKnownForm, isFiltered, isOrdered, isSortedBy, isText, sorts } from './byType';
import {
  type Finding,
  type Inquiry,
  inWords,
  listedId,
  no,
  resultOf,
  Unanswered,
  wrong,
  yes,
} from './inquiry';

/** A question that the interface leaves open, and on which it depends what a user can do or what the nodes do. */
interface Question {
  readonly question: string;
  /** @throws Unanswered, or the failure of the service. */
  readonly ask: (inquiry: Inquiry) => Promise<Finding>;
  /** What another answer than yes means for the user. */
  readonly otherwise: string;
}

const row = (question: string, ask: Question['ask'], otherwise: string): Question => ({
  question,
  ask,
  otherwise,
});

const PROVES =
  'Sync, Create or Update and Delete end with an error where they cannot find out what is not there.';

/** The questions by their area, in the order in which they are asked. */
export const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  Connection: [
    row(
      'Does the access key work?',
      async ({ listsApplications, opened }) => {
        const connection = await resultOf(listsApplications);
        const works = 'value' in connection || 'value' in (await resultOf(opened));
        return works ? yes() : wrong(inWords(connection.error));
      },
      "Check the access key (it can be disabled, expired or limited to IP addresses), the header name (X-Desknets-Auth for desknet's NEO), the base URL and the data module in the credential, and any proxy.",
    ),
    row(
      'May the access key list applications?',
      async (inquiry) => {
        await inquiry.assertConnected();
        return 'value' in (await resultOf(inquiry.listsApplications)) ? yes() : no();
      },
      'Select applications by ID or identifier: the lists in the editor stay empty.',
    ),
    row(
      'Are refusals distinguished from failures of the service?',
      async (inquiry) => {
        await inquiry.assertConnected();
        const nobodys = [['app_id', `@${inquiry.mark}`]] as const;
        const asked = await resultOf(async () => await inquiry.client.call('get_app', nobodys));
        if ('value' in asked) return no('it returned something that does not exist');
        return (isRefusal(asked.error) ? yes : no)(inWords(asked.error));
      },
      'The nodes take a refusal for a failure: reads are retried for nothing, and a refused write may end as "outcome unknown".',
    ),
  ],
  Application: [
    row(
      'Is the application there, and is it running?',
      isRunning,
      'Check the ID or identifier, whether the user of the access key may see the application, and its status. Reads and writes fail or leave out records until it is running.',
    ),
    row(
      'Is it known what part values are keyed by?',
      async (inquiry) => {
        const keyMode = await (await inquiry.application()).readKeyMode();
        return keyMode === null ? no() : yes(`the part ${keyMode}`);
      },
      'Add a record, or set the option Part Key; until then writing asks for it.',
    ),
    row(
      'Does each part have a key of its own?',
      haveOwnKeys,
      "Parts without a part identifier, and parts that share a key, are not written, and reads leave them out or mix them up. Change them in the application's settings.",
    ),
    row(
      'Do lists carry the record ID?',
      async (inquiry) => {
        const app = await inquiry.application();
        return listedId(app.application.parts, await app.readListMode()) === null ? wrong() : yes();
      },
      'Create or Update, Sync, the trigger and record lists do not work. Make one ID part readable, with a part identifier if parts are keyed by it.',
    ),
    row(
      'Does the service return the values of all parts?',
      areAllShown,
      'Parts in error have no value in the output; they are listed under "partErrors". Sync and Create or Update refuse to match on them.',
    ),
  ],
  Lists: [
    row(
      'Does the service count the records?',
      async (inquiry) => {
        const app = await inquiry.application();
        return await works(async () => await countRecords(app));
      },
      `Count fails. ${PROVES}`,
    ),
    row(
      'Does a list return 5000 records, or all there are?',
      async (inquiry) => {
        const sample = await inquiry.sample();
        const { length } = await sample.list({}, MAX_LIST_LENGTH);
        if (length === MAX_LIST_LENGTH) return yes('5000');
        return (await countRecords(sample.app)) > length ? no('fewer') : yes('all there are');
      },
      `Reads may end early. ${PROVES} Please report this.`,
    ),
    row(
      'Is an empty list recognized?',
      isEmptyKnown,
      'Reads that find nothing end as errors or return other records. Please report this.',
    ),
    row(
      'Do lists carry the revision?',
      async (inquiry) =>
        (await inquiry.sample()).records.some(({ revision }) => isRevision(revision)) ? yes() : no(),
      'Get Many returns no revision (use Get). Sync reads records one by one, and the trigger reads lists with all their parts, which is slower.',
    ),
    row(
      'Do lists carry the permissions of records?',
      async (inquiry) => {
        const { records, parts, keyMode } = await inquiry.sample();
        const { canWrite, canDelete } = recordReader(parts, { keyMode })(records[0]);
        return (canWrite ?? canDelete) === undefined ? no() : yes();
      },
      '"canWrite" and "canDelete" are missing in Get Many and the trigger. Use Get where they matter.',
    ),
    row(
      'Do lists show each part that a record shows?',
      areListsComplete,
      'Get Many, Export, Sync and conditions do not see these parts. Use Get where they matter.',
    ),
    row(
      'Does a keyword find a text that is there?',
      findsKeyword,
      'The application may name other parts to be searched. Use conditions instead of a keyword.',
    ),
    row(
      'Can lists be sorted?',
      eachType(isSortedBy, sorts),
      'Sort by another part, or add a Sort node after this node.',
    ),
  ],
  Values: [
    row(
      'Is the form of numbers, dates and times known?',
      eachType(isOrdered, hasKnownForm),
      'The nodes return these values unchanged, and cannot compare them. Please report this.',
    ),
    row(
      'Do rows of table parts carry an ID?',
      async (inquiry) => {
        const rows = (await inquiry.sample()).valuesOf('input_list', true);
        if (rows.length === 0) throw new Unanswered('Not seen: rows');
        return rows.every(({ text }) => text !== '') ? yes() : no();
      },
      'Where a table part has rows, none can be added, changed or deleted by itself: write all of them with Table Row Mode set to Replace.',
    ),
    row(
      'Can an attachment be downloaded?',
      isDownloaded,
      'Attachments cannot be downloaded. Please report this.',
    ),
  ],
  Conditions: [
    row(
      'Does Equals find a value, and nothing else?',
      eachType(isFiltered, finds('equals')),
      'Create or Update reads all records to match by such a part. In filters, use Is One Of, which the node itself checks.',
    ),
    row(
      'Does Contains find part of a text, and nothing else?',
      eachType(isText, finds('contains')),
      'Use a keyword, or Starts With, which the node itself checks.',
    ),
    row(
      'Does Is Greater Than or Equal To find values, and nothing else?',
      eachType(isOrdered, finds('gte')),
      'Use Is Greater Than, which the node itself checks.',
    ),
    row(
      'Does Is Empty find empty values, and nothing else?',
      eachType(isFiltered, finds('isNull')),
      'Leave out this condition, and add an If node after this node.',
    ),
  ],
};

/** Whether the service itself is out of reach, rather than this one question. The client has already retried. */
export function isGone(error: unknown): boolean {
  return ['busy', 'lost', 'unreachable'].includes(toServiceError(error).kind);
}

/** Whether a call is answered. @throws ServiceError for a failure that concerns all questions */
async function works(call: () => Promise<unknown>): Promise<Finding> {
  const asked = await resultOf(call);
  if ('value' in asked) return yes();
  if (isGone(asked.error)) throw toServiceError(asked.error);
  return no(inWords(asked.error));
}

async function isRunning(inquiry: Inquiry): Promise<Finding> {
  await inquiry.assertConnected();
  const opened = await resultOf(inquiry.opened);
  if (inquiry.reference !== '' && 'error' in opened) {
    if (isGone(opened.error)) throw toServiceError(opened.error);
    return wrong(`it cannot be read, ${inWords(opened.error)}`);
  }
  const { status } = (await inquiry.application()).application;
  if (status === '') return { verdict: 'handled', answer: 'Yes: its status is missing' };
  if (status === 'running') return yes();
  return wrong(`its status is ${['maintenance', 'stopped'].includes(status) ? status : 'another one'}`);
}

async function haveOwnKeys(inquiry: Inquiry): Promise<Finding> {
  const app = await inquiry.application();
  const { parts } = app.application;
  const mode = await app.readListMode();
  const lists = [parts, ...parts.map(({ children }) => children)];
  const shared = lists.flatMap((list) => duplicateKeys(list, mode)).length;
  const without = lists.flat().filter((part) => partKey(part, mode) === '').length;
  if (shared + without === 0) return yes();
  return no(
    `${counted(without, 'part has', 'parts have')} none, ${counted(shared, 'key is', 'keys are')} shared`,
  );
}

const PART_ERRORS = ['unauthorized', 'reference_error', 'under_maintenance'];

async function areAllShown(inquiry: Inquiry): Promise<Finding> {
  const { records, parts, keyMode } = await inquiry.sample();
  const errors = records.flatMap((record) =>
    Object.values(recordReader(parts, { keyMode })(record).partErrors ?? {}).map(readText),
  );
  // Others can be a calculation's own words, which may name what it calculates with.
  const codes = errors.map((error) => (PART_ERRORS.includes(error) ? error : 'an error of a calculation'));
  return codes.length === 0 ? yes() : no([...new Set(codes)].sort().join(', '));
}

async function isEmptyKnown(inquiry: Inquiry): Promise<Finding> {
  const { client, reference } = await inquiry.application();
  const fields = Object.entries({ app_id: reference, keyword: inquiry.mark, limit: '1' });
  const asked = await resultOf(async () => await client.call('list_data', fields));
  if ('value' in asked) {
    const isEmpty = readItems(asked.value.list).length === 0;
    return isEmpty ? yes() : no('a keyword that nothing holds finds something');
  }
  if (!isRefusal(asked.error)) throw toServiceError(asked.error);
  const words = inWords(asked.error);
  if (asked.error.details.errorNumber !== NO_MATCHING_DATA) return wrong(words);
  return { verdict: 'handled', answer: `Yes: ${words}` };
}

async function areListsComplete(inquiry: Inquiry): Promise<Finding> {
  const sample = await inquiry.sample();
  const [listed] = sample.records as [RawRecord];
  const single = await readRecord(sample.app, sample.idOf(listed), false);
  const missing = sample.parts.filter((part) => {
    const isLoaded = part.codec.content !== 'references';
    return isLoaded && sample.held(listed, part) === null && sample.held(single, part) !== null;
  });
  const types = new Set(missing.map((part) => part.codec.label ?? 'a type that is new'));
  return missing.length === 0 ? yes() : no([...types].join(', '));
}

async function findsKeyword(inquiry: Inquiry): Promise<Finding> {
  const sample = await inquiry.sample();
  for (const part of sample.partsOf('textbox')) {
    const [specimen] = sample.records.flatMap((record) => sample.held(record, part) ?? []);
    if (specimen === undefined) continue;
    const found = await sample.list({ parts: [part], keyword: specimen.text });
    return found.length > 0 ? yes() : no();
  }
  throw new Unanswered('Not seen: a one-line text');
}

async function isDownloaded(inquiry: Inquiry): Promise<Finding> {
  const sample = await inquiry.sample();
  for (const part of sample.partsOf('files')) {
    const record = sample.records.find((each) => (sample.held(each, part) ?? []).length > 0);
    if (record === undefined) continue;
    const files = await readFiles(sample.app, sample.idOf(record), { part, table: null }, '');
    const [smallest] = files.sort((one, other) => (one.size ?? Infinity) - (other.size ?? Infinity));
    if (smallest !== undefined)
      return await works(async () => await fetchFile(sample.app.client, smallest, readToEnd));
  }
  throw new Unanswered('Not seen: attachments');
}

async function readToEnd(content: ByteStream): Promise<number> {
  let length = 0;
  for await (const chunk of content) length += (chunk as Uint8Array).length;
  return length;
}
