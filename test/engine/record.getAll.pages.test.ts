import { partsOf } from '../support/parts';
import { useWorkplace, type Workplace } from './support/workplace';
import { testTable, type Row } from './support/table';

const place = useWorkplace(null);

const COUNT = 10_100;
const NAMES = Array.from({ length: COUNT }, (_, index) => `N${index}`);
const application = {
  parts: partsOf({ Name: 'textbox', Price: 'number' }),
  records: NAMES.map((Name, index) => ({ Name, Price: String(index) })),
};

/** The offset and limit of each list. */
const pagesOf = async (workplace: Workplace) =>
  (await workplace.sent('list_data')).map(({ offset = '0', limit }) => `${offset} ${limit}`);

const gives =
  (names: readonly string[]): NonNullable<Row['after']> =>
  (_, { json }) => {
    expect(json.map(({ Name }) => Name)).toEqual(names);
  };

const all = { returnAll: true };
const dear = (value: string) => ({ filters: { condition: [{ part: 'Price', operator: 'gt', value }] } });
const refusal = {
  kind: 'ng',
  errorno: -8_000_360,
  message: 'W:No part [W8000360]',
  action: 'list_data',
} as const;

testTable(
  place,
  { operation: 'getAll', options: {} },
  {
    'all records: pages that overlap, and no count': {
      run: all,
      sent: { list_data: [{ limit: '5000' }, { offset: '4950' }, { offset: '9900' }], count_data: 0 },
      after: gives(NAMES),
    },
    'records that only the node can tell, early in a list: a short page first': {
      run: { ...dear('298'), limit: 3 },
      after: async (workplace, result) => {
        await gives(['N299', 'N300', 'N301'])(workplace, result);
        expect(await pagesOf(workplace)).toEqual(['0 250', '200 5000']);
      },
      hints: [],
    },
    'a service that refuses the revision by name: asked for it once': {
      run: all,
      faults: [{ ...refusal, times: 1 }],
      after: async (workplace, result) => {
        await gives(NAMES)(workplace, result);
        const asked = (await workplace.sent('list_data')).map(({ fields = '' }) =>
          fields.includes('revision'),
        );
        expect(asked).toEqual([true, false, false, false]);
      },
    },
    'a list without records: it does not tell that the service knows the revision by name': {
      application: { ...application, records: application.records.slice(0, 9) },
      run: {
        match: 'any',
        filters: {
          condition: ['nobody', 'N7'].map((value) => ({ part: 'Name', operator: 'equals', value })),
        },
      },
      faults: [{ ...refusal, skip: 1, times: 1 }],
      after: gives(['N7']),
    },
  },
  { application },
);
