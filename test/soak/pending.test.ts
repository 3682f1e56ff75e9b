import { mostPolls } from './watchers/pending';
import { delivery, journalOf } from './support/evidence';

const EVERY_SEVEN = { name: 'max records', most: 7 };
const SPARE = mostPolls(EVERY_SEVEN, [], []);

function event(id: number, revision: number | null) {
  const kind = revision === null ? ('deleted' as const) : ('created' as const);
  return { event: kind, id: String(id), revision, previousRevision: null, lanes: {} };
}

const ids = Array.from({ length: 1750 }, (_, index) => index + 1);
const inserted = ids.map((id) => ({ event: 'insert' as const, record: String(id) }));

test('a trigger has as many polls to come to rest as the changes that piled up need', () => {
  expect(mostPolls(EVERY_SEVEN, [], journalOf(...inserted))).toBe(250 + SPARE);
  expect(mostPolls({ name: 'all at once' }, [], journalOf(...inserted))).toBe(SPARE);
});

test('one that has reported everything has a few, so it may not begin again', () => {
  const reported = ids.map((id) => delivery('max records', event(id, 1)));
  expect(mostPolls(EVERY_SEVEN, reported, journalOf(...inserted))).toBe(SPARE);
  expect(mostPolls({ ...EVERY_SEVEN, name: 'another' }, reported, journalOf(...inserted))).toBe(250 + SPARE);
});

test('changes and deletions since count, records that came and went in between do not', () => {
  const journal = journalOf(
    ...inserted.slice(0, 21),
    ...inserted.slice(0, 14).map(({ record }) => ({ event: 'delete' as const, record })),
    { event: 'update', record: '15' },
  );
  const known = [1, 2, 3, 4, 5, 6, 7, 15].map((id) => event(id, 1));
  // Seven deletions, an update and six creations.
  expect(mostPolls(EVERY_SEVEN, [delivery('max records', ...known)], journal)).toBe(2 + SPARE);
  const all = [...known, ...[1, 2, 3, 4, 5, 6, 7].map((id) => event(id, null)), event(15, 2)];
  expect(mostPolls(EVERY_SEVEN, [delivery('max records', ...all)], journal)).toBe(1 + SPARE);
});
