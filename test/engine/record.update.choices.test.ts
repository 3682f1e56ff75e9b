import { CONTINUE, itemsIn, ng, testTable } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

/** A record with choices, one of which the parts no longer offer. */
const RECORD = { Name: 'Bolt', Colours: ['red', 'dark, blue'], Kind: 'Screw' };
const application = {
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Colours', type: 'checkbox', options: ['red', 'green', 'dark, blue'] },
    { name: 'Kind', type: 'select', options: ['Screw', 'Nut'] },
  ],
  records: [RECORD],
};
const offerLess = async () => {
  const parts = { Colours: { options: ['red', 'green'] }, Kind: { options: ['Nut'] } };
  await place.sandbox.changeApplication(place.app.id, { parts });
};

testTable(
  place,
  { operation: 'update', recordId: '1' },
  {
    'another part is written with them; the record is read before and while it is written': {
      run: { values: { Name: 'New', Kind: 'Screw' } },
      stored: [{ Name: 'New', Kind: 'Screw' }],
      sent: { get_data: 2 },
      // The choice itself is not sent: the service might refuse it.
      after: async () => expect((await place.sent('update_data'))[0]).not.toHaveProperty('{{Kind}}'),
    },
    'where the record cannot be read, that is the error: nobody knows what it holds': {
      run: { values: { Kind: 'Screw' } },
      faults: [ng('get_data')],
      error: /^(?!.*not one of the options)/,
      sent: { update_data: 0 },
    },
    'Create or Update refuses it for a new record, and for one with another choice; the others are written': {
      run: { operation: 'upsert', values: null, matchBy: ['Name'] },
      items: itemsIn('Name Kind', 'Cap Screw, Bolt Pin, Cap Nut'),
      node: CONTINUE,
      outcomes: ['notDone', 'notDone', 'created'],
      stored: [RECORD, { Kind: 'Nut' }],
    },
  },
  { application, before: offerLess },
);
