import { rowOf, withFiles } from './support/rows';
import { testTable } from './support/table';
import { RETRY, useWorkplace } from './support/workplace';

const Lines = {
  name: 'Lines',
  type: 'input_list',
  children: [
    { name: 'Buyer', type: 'users' },
    { name: 'Plan', type: 'files' },
  ],
};

const place = useWorkplace(null);
const application = {
  parts: [{ name: 'Owner', type: 'users' }, Lines],
  records: [{ Owner: ['1001'], Lines: ['1003', '1003', '1003'].map((Buyer) => ({ Buyer: [Buyer] })) }],
};

/** Two files of one name: the second one follows in a request of its own. */
const files = { p: { name: 'p.txt', text: 'p' }, q: { name: 'p.txt', text: 'second' } };
/** The second item names a person: to read it, the names of all records are read, which ends with a count. */
const input = ['1002', 'Aiko Mori', '1002'].map((buyer, index) =>
  withFiles(files, { row: String(index + 1), buyer }),
);
const refused = { kind: 'ng', errorno: -1, message: 'no', times: 1 } as const;
const countRefused = { ...refused, action: 'count_data' } as const;
const secondFileRefused = { ...refused, action: 'update_data', skip: 1 } as const;

const run = {
  operation: 'update',
  ...rowOf({ Buyer: '={{ $json.buyer }}', Plan: 'p,q' }),
  rowId: '={{ $json.row }}',
  options: { peopleByName: true },
};

const plan = [expect.objectContaining({ size: 1 }), expect.objectContaining({ size: 6 })];
const rowWith = (buyer: string): unknown => expect.objectContaining({ Buyer: [buyer], Plan: plan });
const finished = {
  application,
  hints: ['"Aiko Mori" was matched to the user with the ID 1001'],
  stored: [{ Lines: [rowWith('1002'), rowWith('1001'), rowWith('1002')] }],
};

testTable(place, run, [
  {
    name: 'items that were written together are finished together, also if one between them was not read then',
    faults: [countRefused, secondFileRefused],
    engine: { input, node: { ...RETRY, onError: 'continueRegularOutput' } },
    ...finished,
  },
  {
    name: 'files are left for a try that can read all items that were written together',
    faults: [{ ...countRefused, skip: 1 }, secondFileRefused],
    engine: { input, node: { ...RETRY, maxTries: 3, onError: 'continueRegularOutput' } },
    ...finished,
  },
]);
