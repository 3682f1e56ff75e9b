import { findAttachmentPart } from '../../../nodes/ApplicationDataService/parts/choose';
import { makePart } from './support/parts';

const scan = makePart('files', { id: '8', name: 'Scan v1.2' });

test.each(['Lines', 'Lines 1.0', '\u{20bb7}野家'])('an attachment part inside the table part %s', (name) => {
  const table = makePart('input_list', { id: '7', name, children: [scan] });
  for (const text of [`${name}.Scan v1.2`, '7.8', `${name}.8`])
    expect(findAttachmentPart([table], text)).toEqual({ part: scan, table });
});

test('parts inside a part of an unknown type are not addressed', () => {
  const unknown = makePart('newType', { id: '7', name: 'Lines', children: [scan] });
  expect(() => findAttachmentPart([unknown], 'Lines.Scan v1.2')).toThrow('There is no part');
});

test('a text that fits an attachment part and another part is refused', () => {
  const note = makePart('textbox', { id: '9', name: 'Note', identifier: 'Scan v1.2' });
  expect(findAttachmentPart([scan], 'Scan v1.2').part).toBe(scan);
  expect(() => findAttachmentPart([scan, note], 'Scan v1.2')).toThrow('"Scan v1.2" fits 2 parts');
});
