import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/types/id';
import { plainDecimal } from '../../../parts/values/decimal';
import { isEmpty, isObject, readItems, readText, valOf } from '../../../parts/values/shapes';
import { type Inquiry, type Question, questionsOn } from './inquiry';
import {
  combined,
  type Finding,
  type Form,
  formOf,
  handled,
  limited,
  ok,
  unknown,
  emptyForm,
  endsCheck,
  inWords,
  problem,
  Unanswered,
} from './finding';
import { settle } from '../../../util/concurrently';

const UNKNOWN_FORM = limited('In another way', 'The nodes return it unchanged. Please report this.');
const ELSEWHERE = 'Run the check in an application that holds one.';

const matches =
  (pattern: RegExp) =>
  (val: unknown): boolean =>
    typeof val === 'string' && pattern.test(val);

/** The forms in which the values of a type are known to come. */
const FORMS = {
  date: [
    [matches(/^\d{4}-\d{2}-\d{2}$/), ok('yyyy-MM-dd')],
    [
      (val) => isObject(val) && 'year' in val,
      handled('An object of year, month and day', 'The nodes return yyyy-MM-dd.'),
    ],
  ],
  time: [[(val) => /^\d+$/.test(readText(val)), ok('Seconds since midnight')]],
  datetime: [
    [matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/), ok('yyyy-MM-ddTHH:mm')],
    [(val) => isObject(val) && 'hour' in val, handled('An object', 'The nodes return yyyy-MM-ddTHH:mm.')],
  ],
  number: [
    [(val) => typeof val === 'number', handled('As JSON numbers', 'The nodes return numbers either way.')],
    [(val) => plainDecimal(readText(val)) === null, UNKNOWN_FORM],
    [matches(/,/), handled('As text with thousands separators', 'The nodes return numbers.')],
    // A number below 1000 does not show whether there are thousands separators.
    [
      (val) => Math.abs(Number(readText(val))) < 1000,
      unknown('As text; no number of 1000 or more was seen', ELSEWHERE),
    ],
    [() => true, ok('As text', 'The nodes return numbers where these are exact.')],
  ],
} satisfies Readonly<Record<string, readonly Form<unknown>[]>>;

const form =
  (type: keyof typeof FORMS): Question['ask'] =>
  async (inquiry) => {
    const values = (await inquiry.values(type)).filter(({ val }) => !isEmpty(val));
    const findings = values.map(({ val }) => formOf(val, FORMS[type], UNKNOWN_FORM));
    const telling = findings.filter(({ verdict }) => verdict !== 'unknown');
    return combined(
      telling.length > 0 ? telling : findings,
      unknown(`No value of the type ${type} was seen`, ELSEWHERE),
    );
  };

/** What holds the several values of a part, by its type. */
const CONTAINERS = { files: 'attach', users: 'users', groups: 'groups', input_list: 'child_records' };

async function emptyValue(inquiry: Inquiry, type: string, container: string): Promise<Finding> {
  const values = (await inquiry.values(type)).map(({ val }) => val);
  const empty = values.filter((val) =>
    isObject(val) ? container in val && readItems(val[container]).length === 0 : readItems(val).length === 0,
  );
  return combined(
    empty.map((val) =>
      emptyForm(isObject(val) ? val[container] : '', container, 'The nodes read it as empty.'),
    ),
    unknown('No empty value was seen', 'Run the check again once a record has an empty one.'),
  );
}

async function rowIds(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const findings = (await inquiry.values('input_list')).flatMap(({ part, val }) => {
    const own = ownIdPart(part.children);
    const forms = rowIdForms(own === null ? '' : partKey(own, mode));
    const rows = readItems(isObject(val) && 'child_records' in val ? val.child_records : val);
    return rows.filter(isObject).map((row) => formOf(row, forms, NO_ROW_ID));
  });
  return combined(findings, unknown('No row was seen', 'Run the check again once a table part holds rows.'));
}

const NO_ROW_ID = limited(
  'Rows carry none',
  'Rows can be added and replaced, but not changed or deleted one by one; merging rows is refused.',
);

function rowIdForms(ownKey: string): readonly Form<Readonly<Record<string, unknown>>>[] {
  return [
    [(row) => readText(row.data_id) !== '', ok('Under data_id')],
    [(row) => isObject(row.data_id), handled('Under data_id, as an object', 'The nodes read it as well.')],
    [
      (row) => readText(valOf(row[ownKey])) !== '',
      handled('In a child part of type ID', 'The nodes read it there.'),
    ],
  ];
}

type RawFile = Readonly<Record<string, unknown>>;

/** An attachment of the sample that has an address. @throws Unanswered if there is none. */
async function anyFile(inquiry: Inquiry): Promise<RawFile> {
  for (const { val } of await inquiry.values('files')) {
    const files = readItems(isObject(val) && 'attach' in val ? val.attach : val).filter(isObject);
    const file = files.find(({ url }) => readText(url) !== '');
    if (file !== undefined) return file;
  }
  throw new Unanswered(unknown('No attachment was seen', 'Run the check in an application that holds one.'));
}

async function address(inquiry: Inquiry): Promise<Finding> {
  const url = readText((await anyFile(inquiry)).url);
  const beside = 'The nodes request it next to the data module.';
  if (!URL.canParse(url)) return handled('Relative to the data module', beside);
  return new URL(url).host === new URL(inquiry.client.address).host
    ? ok('Absolute, on the host of the base URL', beside)
    : handled('Absolute, on another host than the base URL', `${beside} The key goes nowhere else.`);
}

async function addressId(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  return /[?&]id=([^&]*)/.exec(readText(file.url))?.[1] === readText(file.id)
    ? ok('Yes')
    : handled('No', 'The nodes use each where it belongs: one to download, the other to remove.');
}

async function download(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  const no = (words: string): Finding =>
    problem(`No: ${words}`, 'Attachments cannot be downloaded. Please report this.');
  const asked = await settle(
    async () =>
      await inquiry.client.download(
        readText(file.url),
        async ({ status, headers }) => await Promise.resolve({ status, type: headers['content-type'] ?? '' }),
      ),
  );
  if ('error' in asked) {
    if (endsCheck(asked.error)) throw asked.error;
    return no(inWords(asked.error));
  }
  const { status, type } = asked.value;
  if (status !== 200) return no(`HTTP ${status}`);
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const own = "The nodes take the attachment's own.";
  if (bare === '') return handled('Yes, without a content type', own);
  if (bare === readText(file.mimetype).toLowerCase()) return ok("Yes, with the file's own content type");
  return bare === 'application/octet-stream'
    ? handled('Yes, with a content type that fits any file', own)
    : handled('Yes, with another content type', 'The nodes take the one that comes.');
}

const onValues = questionsOn('Values', 'application');
const onAttachments = questionsOn('Attachments', 'application');

export const valueQuestions: readonly Question[] = [
  onValues('How is a date written?', form('date')),
  onValues('How is a time written?', form('time')),
  onValues('How is a date/time written?', form('datetime')),
  onValues('How is a number written?', form('number')),
  ...Object.entries(CONTAINERS).map(([type, container]) =>
    onValues(
      `How is an empty value of the type ${type} written?`,
      async (inquiry) => await emptyValue(inquiry, type, container),
    ),
  ),
  questionsOn('Table rows', 'application')('Where does a table row carry its ID?', rowIds),
  onAttachments('Which address does an attachment carry?', address),
  onAttachments("Is an attachment's ID also the one in its address?", addressId),
  onAttachments('Can an attachment be downloaded?', download),
];
