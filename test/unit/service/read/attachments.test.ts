import { fileValues } from '../../../../nodes/ApplicationDataService/service/read/attachments';
import { makePart } from '../../parts/support/parts';

test('parts that share a key share their files: each is given once', () => {
  const photo = { type: 'files', name: 'Photo' } as const;
  const parts = [makePart('files', { ...photo, id: '1' }), makePart('files', { ...photo, id: '2' })];
  const file = { id: '7', name: 'a.txt' };
  expect(fileValues({ Photo: [file] }, parts, 'name')).toEqual([file]);
});
