import { readCheckedConditions, readConditions } from '../../../common/filters';
import { codecs } from '../../../parts/codecs';
import type { ConditionOperator } from '../../../parts/conditions/condition';
import { RecordTest } from '../../../parts/conditions/recordTest';
import type { Part, PartCodec } from '../../../parts/model/part';
import { isRefusal } from '../../../service/http/errors';
import { filterText, type RawRecord } from '../../../service/read/recordList';
import { attempt, nullIf } from '../../../util/concurrently';
import { groupBy } from '../../../util/groupBy';
import { asUserError } from '../../../util/userError';
import { type Finding, type Inquiry, no, type Sample, wrong, yes } from './inquiry';

/** Answers `null` where the sample holds no value that would tell. */
type AskAboutType = (sample: Sample, type: string) => Promise<Finding | null> | Finding | null;

/** The whole answer is as bad as the worst for a type, and unknown only if it is for all. */
const VERDICTS = ['problem', 'limited', 'ok', 'unknown'] as const;

/** Asks about each part type that a question concerns, and says the types as the editor's lists do. */
export function eachType(concerns: Traits, ask: AskAboutType) {
  return async (inquiry: Inquiry): Promise<Finding> => {
    const sample = await inquiry.sample();
    const told: (Finding & { readonly label: string })[] = [];
    for (const [type, codec] of codecs) {
      if (!concerns(codec)) continue;
      const found = (await ask(sample, type)) ?? { verdict: 'unknown', answer: 'Not seen' };
      told.push({ ...found, label: codec.label ?? type });
    }
    const sorted = VERDICTS.flatMap((verdict) => told.filter((each) => each.verdict === verdict));
    const verdict = sorted[0]?.verdict ?? 'unknown';
    const answers = groupBy(sorted, ({ answer }) => answer).map(
      (group) => `${group[0].answer} (${group.map(({ label }) => label).join(', ')})`,
    );
    return { verdict, answer: answers.join('. ') };
  };
}

type Traits = (codec: PartCodec) => boolean;

export const isFiltered: Traits = ({ filterable, content }) => filterable === true && content !== 'rows';

export const isOrdered: Traits = ({ compares = 'result' }) => compares !== 'result';

export const isText: Traits = ({ filterable, choices, members, compares, content }) =>
  filterable === true && [choices, members, compares, content].every((trait) => trait === undefined);

export const isSortedBy: Traits = ({ sortable, content }) => sortable === true && content !== 'id';

/** Whether all values have a form that the nodes can compare and put in order. */
export const hasKnownForm: AskAboutType = (sample, type) => {
  const values = sample.valuesOf(type);
  if (values.length === 0) return null;
  return values.every(({ canonical }) => canonical !== null) ? yes() : no();
};

/** What Get Many finds by an operator of the service, with a value that leaves out others if there is one. */
export function finds(operator: ConditionOperator): AskAboutType {
  return async (sample, type) => {
    const trials = sample.partsOf(type).flatMap((part) => trialsOf(sample, part, operator));
    const trial = trials.find(({ leavesOut }) => leavesOut) ?? trials[0];
    if (trial === undefined) return null;
    const { part, asked, test, isMet, leavesOut } = trial;
    const query = { parts: [part], filter: filterText(asked.flatMap(({ filter = [] }) => filter)) };
    const listed = await nullIf(isRefusal, sample.list(query));
    if (listed === null) return no('it is refused');
    const checks = asked.flatMap(({ check = [] }) => check);
    const checked = new RecordTest(checks, 'all', sample.keyMode);
    const found = listed.filter((record) => sample.held(record, part) !== null && checked.meets(record));
    if (found.some((record) => !test.meets(record))) return wrong('it finds other values as well');
    if (found.length === 0) return isMet ? no('it does not find what is there') : null;
    return leavesOut ? yes() : null;
  };
}

/** Conditions that some of the newest records meet. */
function trialsOf(sample: Sample, part: Part, operator: ConditionOperator) {
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
    const met = shown.filter((record) => read.value.test.meets(record)).length;
    return [{ ...read.value, part, isMet: met > 0, leavesOut: met < shown.length }];
  });
}

/** Whether lists come in the order of a part, both ways. */
export const sorts: AskAboutType = async (sample, type) => {
  const textsOf = (records: readonly RawRecord[], part: Part): string[] =>
    records.map((record) => (sample.held(record, part) ?? []).map(({ text }) => text).join('\t'));
  const part = sample.partsOf(type).find((each) => new Set(textsOf(sample.records, each)).size > 1);
  if (part === undefined) return null;
  const inOrder = async (order: 'asc' | 'desc'): Promise<string | null> => {
    const listed = await nullIf(isRefusal, sample.list({ parts: [part], sort: { part, order } }));
    return listed === null ? null : textsOf(listed, part).join('\n');
  };
  const up = await inOrder('asc');
  if (up === null) return no('it is refused');
  return up === (await inOrder('desc')) ? no('both orders are the same') : yes();
};
