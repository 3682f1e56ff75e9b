import { makePart, readVal } from '../support/parts';

describe('expression', () => {
  const part = makePart('expression');

  it.each([
    ['number', '1,200', 1200],
    ['Number', 12, 12],
    ['date', { year: 2026, month: 3, day: 1 }, '2026-03-01'],
    ['date', '2026-03-01', '2026-03-01'],
    ['time', 90_000, '25:00:00'],
    ['datetime', '2026-03-01T09:30', '2026-03-01T09:30'],
    ['datetime', { year: 2026, month: 3, day: 1, hour: 9, minute: 30 }, '2026-03-01T09:30'],
    ['date_time', '2026-03-01T09:30', '2026-03-01T09:30'],
    ['time_of_day', 90_000, '25:00:00'],
    ['textbox', '1200', '1200'],
    ['overtime', 90_000, '90000'],
    ['', '1200', '1200'],
    [undefined, '1200', '1200'],
    [undefined, 1200, '1200'],
    ['number', '', null],
    ['text', '', null],
  ])('of type %j reads %j as %j', (type, val, value) => {
    expect(part.codec.read({ val, type }, part)).toEqual(value);
  });
});

test.each([
  [7, '7'],
  ['007', '007'],
  ['', null],
])('id reads %j as %j', (val, value) => expect(readVal(makePart('id'), val)).toBe(value));

test.each(['rel_field', 'type_of_tomorrow'])('%s is returned unchanged', (type) => {
  for (const val of ['1,200', 5, false, '', { a: [1] }]) expect(readVal(makePart(type), val)).toBe(val);
});
