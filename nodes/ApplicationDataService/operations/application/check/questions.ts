import { readConditions } from '../../../common/filters';
import type { ConditionOperator } from '../../../parts/conditions/condition';
import { RecordTest } from '../../../parts/conditions/recordTest';
import type { Part, PartCodec } from '../../../parts/model/part';
import { valueOf } from '../../../parts/types/entries';
import { ownIdPart } from '../../../parts/types/id';
import { readItems } from '../../../parts/values/shapes';
import type { ByteStream } from '../../../service/http/byteStream';
import { MAX_LIST_LENGTH, NO_MATCHING_DATA } from '../../../service/http/client';
import { isRefusal } from '../../../service/http/errors';
import { type AttachedFile, fetchFile } from '../../../service/read/attachments';
import { countRecords, filterText, type RawRecord } from '../../../service/read/recordList';
import { attempt, nullIf } from '../../../util/concurrently';
import { groupBy } from '../../../util/groupBy';
import { asUserError } from '../../../util/userError';
import { type Inquiry, inWords, isGone, resultOf, Unanswered } from './inquiry';

/**
 * `ok`: as documented or expected. `handled`: different, but the nodes handle it. `limited`: something works less well.
 * `problem`: something does not work. `unknown`: not asked, or the answer is inconclusive.
 */
export type FindingVerdict = 'ok' | 'handled' | 'limited' | 'problem' | 'unknown';

/** An answer. Users share it with strangers: no key, no address, no name, no value of a record. */
export interface Finding {
  readonly verdict: FindingVerdict;
  readonly answer: string;
}

const finding =
  (verdict: FindingVerdict, answer: string) =>
  (words = ''): Finding => ({ verdict, answer: words === '' ? answer : `${answer}: ${words}` });
const yes = finding('ok', 'Yes');
const handled = finding('handled', 'Yes');
const no = finding('limited', 'No');
const wrong = finding('problem', 'No');
const isIt = (held: boolean): Finding => (held ? yes() : no());

interface Question {
  /** @throws Unanswered, or the failure of the service. */
  readonly ask: (inquiry: Inquiry) => Promise<Finding> | Finding;
  /** What another answer than yes means for the user. */
  readonly otherwise: string;
}

const row = (ask: Question['ask'], otherwise: string): Question => ({ ask, otherwise });

const PROVES =
  'Sync, Create or Update and Delete end with an error where they cannot find out what is not there.';

const isFiltered = ({ filterable, content }: PartCodec) => filterable === true && content !== 'rows';
const isOrdered = ({ compares = 'result' }: PartCodec) => compares !== 'result';
const isText = ({ filterable, choices, members, compares, content }: PartCodec) =>
  filterable === true && (choices ?? members ?? compares ?? content) === undefined;
const isSortedBy = ({ sortable, content }: PartCodec) => sortable === true && content !== 'id';

/**
 * What the interface leaves open, and on which it depends what a user can do or what the nodes do: by area, in the
 * order in which it is asked.
 */
export const QUESTIONS: Readonly<Record<string, Readonly<Record<string, Question>>>> = {
  Connection: {
    'Does the access key work?': row(
      ({ listing, opening }) =>
        'value' in listing || 'value' in opening ? yes() : wrong(inWords(listing.error)),
      "Check the access key (it can be disabled, expired or limited to IP addresses), the header name (X-Desknets-Auth for desknet's NEO), the base URL and the data module in the credential, and any proxy.",
    ),
    'May the access key list applications?': row(
      ({ listing }) => isIt('value' in listing),
      'Select applications by ID or identifier: the lists in the editor stay empty.',
    ),
    'Are refusals distinguished from failures of the service?': row(async ({ client, mark }) => {
      const nobodys = [['app_id', `@${mark}`]] as const;
      const asked = await resultOf(async () => await client.call('get_app', nobodys));
      if ('value' in asked) return no('it returned something that does not exist');
      return (isRefusal(asked.error) ? yes : no)(inWords(asked.error));
    }, 'The nodes take a refusal for a failure: reads are retried for nothing, and a refused write may end as "outcome unknown".'),
  },
  Application: {
    'Is the application there, and is it running?': row(
      askStatus,
      'Check the ID or identifier, whether the user of the access key may see the application, and its status. Reads and writes fail or leave out records until it is running.',
    ),
    'Is it known what part values are keyed by?': row(async ({ app }) => {
      const keyMode = await app.readKeyMode();
      return keyMode === null ? no() : yes(`the part ${keyMode}`);
    }, 'Add a record, or set the option Part Key; until then writing asks for it.'),
    'Do lists carry the record ID?': row(
      ({ listedParts }) => (ownIdPart(listedParts) === null ? wrong() : yes()),
      'Create or Update, Sync, the trigger and record lists do not work. Make one ID part readable, with a part identifier if parts are keyed by it.',
    ),
    'Does the service return the values of all parts?': row(
      (inquiry) => isIt(inquiry.simplified().every(({ partErrors }) => partErrors === undefined)),
      'Parts in error have no value in the output; they are listed under "partErrors". Sync and Create or Update refuse to match on them.',
    ),
  },
  Lists: {
    'Does the service count the records?': row(
      async ({ app }) => await works(async () => await countRecords(app)),
      `Count fails. ${PROVES}`,
    ),
    'Does a list return 5000 records, or all there are?': row(async (inquiry) => {
      inquiry.newest();
      const { length } = await inquiry.list({}, MAX_LIST_LENGTH);
      if (length === MAX_LIST_LENGTH) return yes('5000');
      return (await countRecords(inquiry.app)) > length ? no('fewer') : yes('all there are');
    }, `Reads may end early. ${PROVES} Please report this.`),
    'Is an empty list recognized?': row(
      askForNothing,
      'Reads that find nothing end as errors or return other records. Please report this.',
    ),
    'Do lists carry the revision?': row(
      (inquiry) => isIt(inquiry.simplified().some(({ revision }) => revision !== null)),
      'Get Many returns no revision (use Get). Sync reads records one by one, and the trigger reads lists with all their parts, which is slower.',
    ),
    'Does a keyword find a text that is there?': row(
      searchKeyword,
      'The application may name other parts to be searched. Use conditions instead of a keyword.',
    ),
    'Can lists be sorted?': row(
      eachType(isSortedBy, sorts),
      'Sort by another part, or add a Sort node after this node.',
    ),
  },
  Values: {
    'Is the form of numbers, dates and times known?': row(
      eachType(isOrdered, (inquiry, part) => {
        const values = inquiry.valuesOf(part);
        return values.length === 0 ? null : isIt(values.every(({ canonical }) => canonical !== null));
      }),
      'The nodes return these values unchanged, and cannot compare them. Please report this.',
    ),
    'Do rows of table parts carry an ID?': row((inquiry) => {
      const tables = inquiry.listedParts.filter(({ codec }) => codec.content === 'rows');
      const rows = tables.flatMap((table) => inquiry.valuesOf(table, true));
      if (rows.length === 0) throw new Unanswered('Not seen: rows');
      return isIt(rows.every(({ text }) => text !== ''));
    }, 'Where a table part has rows, none can be added, changed or deleted by itself: write all of them with Table Row Mode set to Replace.'),
    'Can an attachment be downloaded?': row(
      downloadSmallest,
      'Attachments cannot be downloaded. Please report this.',
    ),
  },
  Conditions: {
    'Does Equals find a value, and nothing else?': row(
      eachType(isFiltered, finds('equals')),
      'Create or Update reads all records to match by such a part. In filters, use Is One Of, which the node itself checks.',
    ),
    'Does Contains find part of a text, and nothing else?': row(
      eachType(isText, finds('contains')),
      'Use a keyword, or Starts With, which the node itself checks.',
    ),
    'Does Is Greater Than or Equal To find values, and nothing else?': row(
      eachType(isOrdered, finds('gte')),
      'Use Is Greater Than, which the node itself checks.',
    ),
    'Does Is Empty find empty values, and nothing else?': row(
      eachType(isFiltered, finds('isNull')),
      'Leave out this condition, and add an If node after this node.',
    ),
  },
};

/** Answers `null` where no record holds a value that would tell. */
type AskAboutPart = (inquiry: Inquiry, part: Part) => Promise<Finding | null> | Finding | null;

/** The whole answer is as bad as the worst for a type, and unknown only if it is for all. */
const WORST_FIRST = ['problem', 'limited', 'ok', 'unknown'] as const;

/** Asks about a part of each type that a question concerns, and says the types as the editor's lists do. */
function eachType(concerns: (codec: PartCodec) => boolean, ask: AskAboutPart) {
  return async (inquiry: Inquiry): Promise<Finding> => {
    inquiry.newest();
    const told = new Map<string, Finding>();
    for (const part of inquiry.listedParts) {
      const label = part.codec.label ?? part.type;
      if (!concerns(part.codec) || (told.get(label)?.verdict ?? 'unknown') !== 'unknown') continue;
      told.set(label, (await ask(inquiry, part)) ?? { verdict: 'unknown', answer: 'Not seen' });
    }
    const sorted = WORST_FIRST.flatMap((verdict) => [...told].filter(([, each]) => each.verdict === verdict));
    const answers = groupBy(sorted, ([, { answer }]) => answer).map(
      (group) => `${group[0][1].answer} (${group.map(([label]) => label).join(', ')})`,
    );
    return { verdict: sorted[0]?.[1].verdict ?? 'unknown', answer: answers.join('. ') || 'Not seen' };
  };
}

/** What a one-line text may hold. */
const ON_ONE_LINE = /^[^\t\r\n]{1,254}$/;

/** What Get Many finds by an operator of the service, with a value that some of the newest records have, others not. */
function finds(operator: ConditionOperator): AskAboutPart {
  return async (inquiry, part) => {
    const shown = inquiry.newest().filter((record) => inquiry.held(record, part) !== null);
    const texts = inquiry.valuesOf(part).flatMap(({ text }) => (ON_ONE_LINE.test(text) ? text : []));
    const trial = (operator === 'isNull' ? [''] : [...new Set(texts)])
      .flatMap((text) => conditionOn(inquiry, part, operator, text))
      .find(({ whole }) => {
        const met = shown.filter((record) => whole.meets(record)).length;
        return met > 0 && met < shown.length;
      });
    if (trial === undefined) return null;
    const listed = await nullIf(isRefusal, inquiry.list({ parts: [part], filter: filterText(trial.filter) }));
    if (listed === null) return no('it is refused');
    const met = listed.filter((record) => inquiry.held(record, part) !== null && trial.checked.meets(record));
    if (met.some((record) => !trial.whole.meets(record))) return wrong('it finds other values as well');
    return met.length === 0 ? no('it does not find what is there') : yes();
  };
}

/** What a condition asks of the service and of the node, and its whole meaning; none if it cannot be asked. */
function conditionOn(inquiry: Inquiry, part: Part, operator: ConditionOperator, text: string) {
  const value = operator === 'contains' && text.length > 3 ? text.slice(1, -1).trim() : text;
  const filters = { condition: [{ part: part.id, operator, value }] };
  const read = attempt(() => [readConditions(filters, inquiry), readConditions(filters, inquiry, true)]);
  if ('error' in read) {
    // A choice that is no longer offered, for example.
    asUserError(read.error);
    return [];
  }
  const checks = read.value.map((conditions) => conditions.flatMap(({ check = [] }) => check));
  const [checked, whole] = checks.map((each) => new RecordTest(each, 'all', inquiry.keyMode));
  const filter = read.value[0]!.flatMap((each) => each.filter ?? []);
  return [{ filter, checked: checked!, whole: whole! }];
}

/** Whether lists come in the order of a part, both ways. */
async function sorts(inquiry: Inquiry, part: Part): Promise<Finding | null> {
  const textsOf = (records: readonly RawRecord[]): string[] =>
    records.map((record) => (inquiry.held(record, part) ?? []).map(({ text }) => text).join('\t'));
  if (new Set(textsOf(inquiry.newest())).size < 2) return null;
  const inOrder = async (order: 'asc' | 'desc'): Promise<string | null> => {
    const listed = await nullIf(isRefusal, inquiry.list({ parts: [part], sort: { part, order } }));
    return listed && textsOf(listed).join('\n');
  };
  const up = await inOrder('asc');
  if (up === null) return no('it is refused');
  return up === (await inOrder('desc')) ? no('both orders are the same') : yes();
}

/** Whether a call is answered. @throws ServiceError for a failure that concerns all questions */
async function works(call: () => Promise<unknown>): Promise<Finding> {
  const asked = await resultOf(call);
  if ('value' in asked) return yes();
  if (isGone(asked.error)) throw asked.error;
  return no(inWords(asked.error));
}

function askStatus({ opening }: Inquiry): Finding {
  if ('error' in opening && (opening.error instanceof Unanswered || isGone(opening.error)))
    throw opening.error;
  if ('error' in opening) return wrong(`it cannot be read, ${inWords(opening.error)}`);
  const { status } = opening.value.application;
  if (status === '') return handled('its status is missing');
  if (status === 'running') return yes();
  return wrong(`its status is ${['maintenance', 'stopped'].includes(status) ? status : 'another one'}`);
}

async function askForNothing({ app, mark }: Inquiry): Promise<Finding> {
  const fields = Object.entries({ app_id: app.reference, keyword: mark, limit: '1' });
  const asked = await resultOf(async () => await app.client.call('list_data', fields));
  if ('value' in asked)
    return readItems(asked.value.list).length === 0
      ? yes()
      : no('a keyword that nothing holds finds something');
  if (!isRefusal(asked.error)) throw asked.error;
  const isKnown = asked.error.details.errorNumber === NO_MATCHING_DATA;
  return (isKnown ? handled : wrong)(inWords(asked.error));
}

async function searchKeyword(inquiry: Inquiry): Promise<Finding> {
  const parts = inquiry.listedParts.filter(({ codec }) => isText(codec) && codec.multiline !== true);
  const [specimen] = parts.flatMap((part) => inquiry.valuesOf(part).map(({ text }) => ({ part, text })));
  if (specimen === undefined) throw new Unanswered('Not seen: a one-line text');
  return isIt((await inquiry.list({ parts: [specimen.part], keyword: specimen.text })).length > 0);
}

async function downloadSmallest(inquiry: Inquiry): Promise<Finding> {
  const parts = inquiry.listedParts.filter(({ codec }) => codec.content === 'files');
  const values = inquiry
    .simplified()
    .flatMap((each) => parts.flatMap((part) => valueOf(each, part, inquiry) ?? []));
  const sizeOf = ({ size }: AttachedFile): number => size ?? Infinity;
  const [smallest] = (values as unknown as AttachedFile[]).sort((one, other) => sizeOf(one) - sizeOf(other));
  if (smallest === undefined) throw new Unanswered('Not seen: attachments');
  const readToEnd = async (content: ByteStream): Promise<number> => {
    let length = 0;
    for await (const chunk of content) length += (chunk as Uint8Array).length;
    return length;
  };
  return await works(async () => await fetchFile(inquiry.client, smallest, readToEnd));
}
