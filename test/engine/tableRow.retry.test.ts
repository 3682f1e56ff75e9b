import { rowOf } from './support/rows';
import { drop, testTable } from './support/table';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';

const Lines = {
  name: 'Lines',
  type: 'input_list',
  children: [{ name: 'Buyer', type: 'users' }],
};

const place = useWorkplace(null);
const application = {
  parts: [{ name: 'Owner', type: 'users' }, Lines],
  records: [{ Owner: ['1001'], Lines: ['1003', '1003', '1003'].map((Buyer) => ({ Buyer: [Buyer] })) }],
};

/** The second item names a person: to read it, the records are counted, and their names are read. */
const input = itemsOf(
  ...['1002', 'Aiko Mori', '1002'].map((buyer, index) => ({ row: `${index + 1}`, buyer })),
);
const refused = { kind: 'ng', errorno: -1, message: 'no', times: 1 } as const;

testTable(
  place,
  {
    ...{ operation: 'update', ...rowOf({ Buyer: '={{ $json.buyer }}' }), rowId: '={{ $json.row }}' },
  },
  {
    'items that were left in doubt together are judged together, also if one between them was not read then':
      {
        // The answer is lost, and the record cannot be read to see what became of it.
        faults: [
          { ...refused, action: 'count_data' },
          drop('update_data', 'after'),
          { ...refused, action: 'get_data', skip: 1 },
        ],
        engine: { input, node: { ...RETRY, onError: 'continueRegularOutput' } },
        outcomes: ['updated', 'updated', 'updated'],
        stored: [
          {
            Lines: ['1002', '1001', '1002'].map((buyer): unknown =>
              expect.objectContaining({ Buyer: [buyer] }),
            ),
          },
        ],
        // One for the two, one for the other.
        sent: { update_data: 2 },
      },
  },
  { application },
);
