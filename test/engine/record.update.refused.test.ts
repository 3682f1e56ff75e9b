import { itemsOf, useWorkplace, type Workplace } from './support/workplace';

const place = useWorkplace();

describe('what is refused before anything is sent', () => {
  test.each<[string, Parameters<Workplace['update']>[0], RegExp]>([
    ['no record ID', { recordId: '={{ $json.none }}', values: { Name: 'x' } }, /^The record ID is empty$/],
    ['no value', { values: {} }, /^There is no value to write$/],
    ['a bad value', { values: { Price: 'x' } }, /is not a number/],
    [
      'an unknown policy',
      { values: { Name: 'x' }, conflictPolicy: '={{ "ask" }}' },
      /^"If the Record Was Changed" must be one of: fail, merge, overwrite, skip, not "ask"$/,
    ],
    [
      'an empty revision',
      { values: { Name: 'x' }, conflictPolicy: 'fail', revision: '' },
      /^The revision is empty$/,
    ],
    [
      'no revision in the item',
      { values: { Name: 'x' }, conflictPolicy: 'skip', revision: '={{ $json.revision }}' },
      /^The revision is empty$/,
    ],
    [
      'revision 0',
      { values: { Name: 'x' }, conflictPolicy: 'merge', revision: '0' },
      /^"0" is not a valid revision$/,
    ],
    [
      'a merge of automatic values',
      { values: null, conflictPolicy: 'merge', revision: '1' },
      /^Merge does not work with Map Automatically$/,
    ],
  ])('%s', async (_, settings, message) => {
    const { error } = await place.update(settings);
    expect(error?.message).toMatch(message);
    expect(error?.context?.itemIndex).toBe(0);
    expect((await place.actions()).filter((action) => action !== 'get_app')).toEqual([]);
  });

  test('a part whose key is the parameter of the revision', async () => {
    const parts = ['revision', 'Name'].map((name) => ({ name, type: 'textbox' }));
    await place.open({ parts, records: [{ Name: 'x' }] });
    for (const values of [{ revision: 'x' }, null]) {
      const { error } = await place.update(
        { values },
        { input: itemsOf({ 'revision (part)': 'x', Name: 'y' }) },
      );
      expect(error?.message).toMatch(/takes its key "revision" for the revision of the record/);
    }
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('the service refuses what the record contains already: told as it says', async () => {
    await place.sandbox.setFaults([{ kind: 'ng', action: 'update_data', errorno: -5, message: 'Locked' }]);
    const same = { values: { Name: 'Bolt' }, conflictPolicy: 'fail', revision: '1' };
    expect((await place.update(same)).error?.message).toMatch(/^The service refused: Locked/);
  });

  test('the service refuses a missing record', async () => {
    const { error } = await place.update({ recordId: '999', values: { Name: 'x' } });
    expect(error?.message).toBe('There is no record 999 in Goods');
  });
});
