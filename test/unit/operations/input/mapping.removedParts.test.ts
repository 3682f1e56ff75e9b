import { withNamesOfRemoved } from '../../../../nodes/ApplicationDataService/operations/input/mapping';
import { PartValuesError } from '../../../../nodes/ApplicationDataService/parts/model/errors';
import { findPart } from '../../../../nodes/ApplicationDataService/parts/model/lookup';
import { UserError } from '../../../../nodes/ApplicationDataService/util/userError';
import { makePart } from '../../parts/support/parts';

const parts = [makePart('textbox', { id: '101', name: 'Guest' })];
const fields = [
  { id: '101', displayName: 'Visitor (101)' },
  { id: '102', displayName: 'Badge (102): one or more, by comma' },
].map((field) => ({ ...field, required: false, defaultMatch: false, display: true }));

function refusal(text: string): unknown {
  try {
    return findPart(parts, text);
  } catch (error) {
    return error;
  }
}

describe('withNamesOfRemoved', () => {
  it('names a part by its former field', () => {
    expect(withNamesOfRemoved(refusal('102'), fields)).toMatchObject({
      message: 'There is no part "Badge" (ID 102) any more',
      description: expect.stringContaining('refresh the list of parts') as string,
    });
  });

  it('the same for each of several refusals', () => {
    const other = new UserError('Something else', 'Do that.');
    const several = withNamesOfRemoved(
      new PartValuesError([other, refusal('102') as UserError], ['x', '102']),
      fields,
    );
    expect(several).toMatchObject({
      message:
        '2 values cannot be written: "x", "Badge"\n- Something else\n- There is no part "Badge" (ID 102) any more',
      description: expect.stringMatching(/^"x": Do that\.\n"Badge": The application has changed/) as string,
    });
  });

  it('does not change keys that were never a field, or other failures', () => {
    for (const thrown of [refusal('Colour'), refusal('103'), new Error('down')]) {
      expect(withNamesOfRemoved(thrown, fields)).toBe(thrown);
    }
  });
});
