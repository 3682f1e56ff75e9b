import { detectKeyMode } from '../../../../nodes/ApplicationDataService/parts/model/lookup';
import { makePart } from '../support/parts';

const own = makePart('id', { name: 'ID' });
const name = makePart('textbox', { name: 'Name', identifier: 'name_id' });
const same = makePart('textbox', { name: 'city', identifier: 'city' });
const crossed = makePart('textbox', { name: 'name_id', identifier: 'x' });
const value = { val: 'v' };

test.each([
  ['a key that is only a name', [own, name], { Name: value }, 'name'],
  ['a key that is only an identifier', [own, name], { name_id: value }, 'identifier'],
  ['the name of a part without identifier', [own, name], { ID: value }, 'name'],
  ['keys of one kind beside keys that match both', [own, name, same], { city: value, Name: value }, 'name'],
  ['no identifiers at all', [own], {}, 'name'],
  ['no identifiers and no record', [own], undefined, 'name'],
  ['identifiers and no record', [own, name], undefined, null],
  ['identifiers and an empty record', [own, name], {}, null],
  ['only keys that match both', [own, same], { city: value }, null],
  ['the name of one part, the identifier of another', [name, crossed], { name_id: value }, null],
  ['keys of both kinds', [own, name], { ID: value, name_id: value }, null],
  ['only keys that no part has', [own, name], { Other: value, revision: value, '\\permissions': {} }, null],
  ['identifiers that are the names', [same], { city: value }, 'name'],
  ['something that is not a record', [own, name], 'oops', null],
])('%s', (_, parts, record, mode) => expect(detectKeyMode(record, parts)).toBe(mode));

it('the revision of a record is not mistaken for a part of that name', () => {
  const revision = makePart('textbox', { name: 'revision', identifier: 'rev' });
  expect(detectKeyMode({ revision: { val: '3', deny_write: 'on' }, name_id: value }, [revision, name])).toBe(
    'identifier',
  );
});
