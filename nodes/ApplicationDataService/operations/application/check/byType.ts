import { readCheckedConditions, type ReadCondition, readConditions } from '../../../common/conditions';
import { codecs } from '../../../parts/codecs';
import type { ConditionOperator } from '../../../parts/conditions/condition';
import { RecordTest } from '../../../parts/conditions/recordTest';
import { isSeveral, type Part } from '../../../parts/model/part';
import { isRefusal } from '../../../service/http/errors';
import { filterText, type RawRecord } from '../../../service/read/recordList';
import { attempt, nullIf } from '../../../util/concurrently';
import { groupBy } from '../../../util/groupBy';
import { asUserError } from '../../../util/userError';
import { type Finding, type Inquiry, no, type Sample, unseen, wrong, yes } from './inquiry';

type PartType = Pick<Part, 'codec'>;

type AskAboutType = (sample: Sample, type: string) => Promise<Finding | null> | Finding | null;

/**
 * Asks about each part type that a question concerns, and says the types as the editor's lists do.
 * @param ask answers `null` where the sample holds no value that would tell.
 */
export function eachType(concerns: (part: PartType) => boolean, ask: AskAboutType) {
  return async (inquiry: Inquiry): Promise<Finding> => {
    const sample = await inquiry.records();
    const told: { readonly label: string; readonly found: Finding }[] = [];
    const untold: string[] = [];
    for (const [type, codec] of codecs) {
      if (!concerns({ codec })) continue;
      const { label = type } = codec;
      const found = await ask(sample, type);
      if (found === null) untold.push(label);
      else told.push({ label, found });
    }
    const verdict = (['problem', 'limited', 'ok'] as const).find((each) =>
      told.some(({ found }) => found.verdict === each),
    );
    if (verdict === undefined) return unseen(untold.join(', '));
    const answers = groupBy(told, ({ found }) => found.answer).map(
      (group) => `${group[0].found.answer} (${group.map(({ label }) => label).join(', ')})`,
    );
    const rest = untold.length === 0 ? [] : [`Not seen: ${untold.join(', ')}`];
    return { verdict, answer: [...answers.sort(), ...rest].join('. ') };
  };
}

/** Whether the service compares whole values of a type. */
export function isCompared(part: PartType): boolean {
  const { filterable, content } = part.codec;
  return filterable === true && content !== 'rows' && !isSeveral(part);
}

export function isOrdered(part: PartType): boolean {
  const { compares = 'result' } = part.codec;
  return compares !== 'result';
}

export function isText(part: PartType): boolean {
  const { choices, compares, content } = part.codec;
  return isCompared(part) && choices === undefined && compares === undefined && content === undefined;
}

/** Whether all values have a form that the nodes can compare and put in order. */
export const isFormKnown: AskAboutType = (sample, type) => {
  const values = sample.valuesOf(type);
  if (values.length === 0) return null;
  return values.every(({ canonical }) => canonical !== null) ? yes() : no();
};

/** A condition that some of the newest records meet. */
interface Trial {
  readonly part: Part;
  readonly asked: ReadCondition;
  readonly test: RecordTest;
  readonly isMet: boolean;
  /** Whether others show the part and do not meet it. */
  readonly leavesOut: boolean;
}

/** Asks for what Get Many finds by an operator of the service, with a value that leaves out others if there is one. */
export function finds(operator: ConditionOperator): AskAboutType {
  return async (sample, type) => {
    const trials = sample.partsOf(type).flatMap((part) => trialsOf(sample, part, operator));
    const trial = trials.find(({ leavesOut }) => leavesOut) ?? trials[0];
    if (trial === undefined) return null;
    const { part, asked, test, isMet, leavesOut } = trial;
    const query = { parts: [part], filter: filterText([asked.filter]) };
    const listed = await nullIf(isRefusal, sample.list(query));
    if (listed === null) return no('it is refused');
    const checks = new RecordTest(asked.check === undefined ? [] : [asked.check], 'all', sample.keyMode);
    const found = listed.filter((record) => sample.held(record, part) !== null && checks.meets(record));
    if (found.some((record) => !test.meets(record))) return wrong('it finds other values as well');
    if (found.length === 0) return isMet ? no('it does not find what is there') : null;
    return leavesOut ? yes() : null;
  };
}

function trialsOf(sample: Sample, part: Part, operator: ConditionOperator): Trial[] {
  const shown = sample.records.filter((record) => sample.held(record, part) !== null);
  const texts = shown
    .map((record) => sample.held(record, part)?.[0]?.text ?? '')
    .filter((text) => text !== '' && !/[\r\n\t]/.test(text) && text.length < 255)
    .map((text) => (operator === 'contains' && text.length > 3 ? text.slice(1, -1).trim() : text));
  // Two values are enough to find one that leaves out the other.
  const values = operator === 'isNull' ? [''] : [...new Set(texts)].slice(0, 2);
  return values.flatMap((value) => {
    const filters = { condition: [{ part: part.id, operator, value }] };
    const read = attempt(() => ({
      asked: readConditions(filters, sample),
      test: new RecordTest(readCheckedConditions(filters, sample), 'all', sample.keyMode),
    }));
    if ('error' in read) {
      // A choice that is no longer offered, for example.
      asUserError(read.error);
      return [];
    }
    const { asked, test } = read.value;
    const met = shown.filter((record) => test.meets(record)).length;
    return asked.map((each) => ({ part, asked: each, test, isMet: met > 0, leavesOut: met < shown.length }));
  });
}

export function isSortedBy(part: PartType): boolean {
  const { sortable, content } = part.codec;
  return sortable === true && content !== 'id';
}

/** Whether lists come in the order of a part, both ways. */
export const sorts: AskAboutType = async (sample, type) => {
  const textsOf = (records: readonly RawRecord[], part: Part): string[] =>
    records.map((record) => (sample.held(record, part) ?? []).map(({ text }) => text).join('\t'));
  const part = sample.partsOf(type).find((each) => new Set(textsOf(sample.records, each)).size > 1);
  if (part === undefined) return null;
  const inOrder = async (order: 'asc' | 'desc'): Promise<RawRecord[]> =>
    await sample.list({ parts: [part], sort: { part, order } });
  const listed = await nullIf(isRefusal, Promise.all([inOrder('asc'), inOrder('desc')]));
  if (listed === null) return no('it is refused');
  const [up, down] = listed.map((records) => textsOf(records, part).join('\n'));
  return up === down ? no('both orders are the same') : yes();
};
