import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/types/id';
import { plainDecimal } from '../../../parts/values/decimal';
import { isObject } from '../../../parts/values/shapes';
import { readItems, readText, valOf } from '../../../parts/values/wire';
import type { Inquiry } from './inquiry';
import { type Finding, handled, limited, ok, unknown } from './finding';
import { type Question, questionsOn } from './question';
import { combined, emptyInnerFinding, valueFinding } from './shapeFindings';

const NOTHING = 'Nothing to do.';
const UNCHANGED = 'The nodes return it unchanged. Please report this.';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function judgeDate(val: unknown): Finding {
  if (typeof val === 'string' && DATE.test(val)) return ok('yyyy-MM-dd', NOTHING);
  if (isObject(val) && 'year' in val)
    return handled('An object of year, month and day', 'The nodes return yyyy-MM-dd.');
  return limited('In another way', UNCHANGED);
}

function judgeMoment(val: unknown): Finding {
  if (typeof val === 'string' && MOMENT.test(val)) return ok('yyyy-MM-ddTHH:mm', NOTHING);
  if (isObject(val) && 'hour' in val) return handled('An object', 'The nodes return yyyy-MM-ddTHH:mm.');
  return limited('In another way', UNCHANGED);
}

function judgeTime(val: unknown): Finding {
  const text = readText(val);
  return /^\d+$/.test(text) ? ok('Seconds since midnight', NOTHING) : limited('In another way', UNCHANGED);
}

function judgeNumber(val: unknown): Finding {
  if (typeof val === 'number') return handled('As JSON numbers', 'The nodes return numbers either way.');
  const text = readText(val);
  if (plainDecimal(text) === null) return limited('In another way', UNCHANGED);
  return text.includes(',')
    ? handled('As text with thousands separators', 'The nodes return numbers.')
    : ok('As text', 'The nodes return numbers where these are exact.');
}

async function numbers(inquiry: Inquiry): Promise<Finding> {
  const values = (await inquiry.values('number')).filter(({ val }) => readText(val) !== '');
  const plain = values.map(({ val }) => readText(val).replaceAll(',', ''));
  // A number below 1000 has no thousands separator.
  if (values.length > 0 && values.every(({ val }) => typeof val === 'string') && plain.every(isSmall)) {
    return unknown(
      'As text; no number of 1000 or more was seen',
      'Run the check in an application that holds one.',
    );
  }
  // Small numbers do not show whether there are separators.
  const telling = values.filter(
    ({ val }) => typeof val === 'number' || !isSmall(readText(val).replaceAll(',', '')),
  );
  return valueFinding(telling, judgeNumber, 'number');
}

function isSmall(text: string): boolean {
  return Math.abs(Number(text)) < 1000;
}

const of =
  (type: string, judge: (val: unknown) => Finding): Question['ask'] =>
  async (inquiry) =>
    valueFinding(await inquiry.values(type), judge, type);

const CONTAINERS: Readonly<Record<string, string>> = {
  files: 'attach',
  users: 'users',
  groups: 'groups',
  input_list: 'child_records',
};

const EMPTY = Object.entries(CONTAINERS).map(([type, container]): Question => ({
  area: 'Values',
  question: `How is an empty value of the type ${type} written?`,
  needs: 'application',
  ask: async (inquiry) => emptyInnerFinding(await inquiry.values(type), container),
}));

async function rowIds(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const found = new Map<string, Finding>();
  for (const { part, val } of await inquiry.values('input_list')) {
    const own = ownIdPart(part.children);
    const ownKey = own === null ? undefined : partKey(own, mode);
    const rows = readItems(isObject(val) && 'child_records' in val ? val.child_records : val).filter(
      isObject,
    );
    for (const row of rows) {
      const finding = rowIdFinding(row, ownKey);
      found.set(finding.answer, finding);
    }
  }
  return combined(found, 'No row was seen', 'Run the check again once a table part holds rows.');
}

function rowIdFinding(row: Readonly<Record<string, unknown>>, ownKey: string | undefined): Finding {
  const named = row.data_id;
  if (readText(named) !== '') return ok('Under data_id', NOTHING);
  if (isObject(named)) return handled('Under data_id, as an object', 'The nodes read it as well.');
  const own = ownKey === undefined ? undefined : row[ownKey];
  if (readText(valOf(own)) !== '') {
    return handled('In a child part of type ID', 'The nodes read it there.');
  }
  return limited(
    'Rows carry none',
    'Rows can be added and replaced, but not changed or deleted one by one; merging rows is refused.',
  );
}

const onValues = questionsOn('Values', 'application');

export const valueQuestions: readonly Question[] = [
  onValues('How is a date written?', of('date', judgeDate)),
  onValues('How is a time written?', of('time', judgeTime)),
  onValues('How is a date/time written?', of('datetime', judgeMoment)),
  onValues('How is a number written?', numbers),
  ...EMPTY,
  { area: 'Table rows', question: 'Where does a table row carry its ID?', needs: 'application', ask: rowIds },
];
