import fc from 'fast-check';

import { isTimeZone, readMoment } from '../../../../nodes/ApplicationDataService/parts/values/moment';

function local(value: unknown, timezone = 'Asia/Tokyo'): string {
  const moment = readMoment(value, timezone);
  return 'text' in moment ? moment.text : `refused: ${moment.reason}`;
}

test.each([
  ['2026-03-01', '2026-03-01T00:00'],
  ['2026-03-01T09:30', '2026-03-01T09:30'],
  ['2026-03-01 09:30', '2026-03-01T09:30'],
  ['2026-03-01T09:30:59.999', '2026-03-01T09:30'],
  ['  2024-02-29  ', '2024-02-29T00:00'],
  ['0001-01-01', '0001-01-01T00:00'],
  ['0099-12-31T23:59', '0099-12-31T23:59'],
  ['9999-12-31T23:59', '9999-12-31T23:59'],
  ['2026-4-3T09:05', '2026-04-03T09:05'],
  ['2026-4-3 9:05:30', '2026-04-03T09:05'],
  ['2026/3/1', '2026-03-01T00:00'],
  ['2026/03/01 09:30', '2026-03-01T09:30'],
  ['2026/3/1T9:05', '2026-03-01T09:05'],
  ['2026.3.1', '2026-03-01T00:00'],
  ['2026.03.01 9:05:30', '2026-03-01T09:05'],
  ['2026年3月1日', '2026-03-01T00:00'],
  ['2026年03月01日 9:05', '2026-03-01T09:05'],
  // An hour that daylight saving leaves out.
  ['2026-03-08T02:30', '2026-03-08T02:30'],
])('%s is %s in any time zone', (text, wall) => {
  expect(local(text, 'Asia/Tokyo')).toBe(wall);
  expect(local(text, 'America/New_York')).toBe(wall);
});

describe('instants', () => {
  it.each([
    ['2026-03-01T00:30:00Z', 'Asia/Tokyo', '2026-03-01T09:30'],
    ['2026-03-01T00:30z', 'Asia/Tokyo', '2026-03-01T09:30'],
    ['2026-02-28T20:00:00.000-05:00', 'Asia/Tokyo', '2026-03-01T10:00'],
    ['2026-03-01T09:30+0900', 'UTC', '2026-03-01T00:30'],
    ['2026/3/1 9:30+09:00', 'UTC', '2026-03-01T00:30'],
    // Zones that n8n lets a workflow have.
    ['2026-03-01T00:30Z', 'GMT', '2026-03-01T00:30'],
    ['2026-03-01T00:30Z', 'Japan', '2026-03-01T09:30'],
    ['2026-03-01T00:30Z', 'CET', '2026-03-01T01:30'],
    ['2026-03-01T09:30+09', 'UTC', '2026-03-01T00:30'],
    ['2026-03-01T09:30 +09:00', 'UTC', '2026-03-01T00:30'],
    ['2026-03-01T09:30+09:00[Asia/Tokyo]', 'UTC', '2026-03-01T00:30'],
    ['2026-03-01T00:00-03:30', 'UTC', '2026-03-01T03:30'],
    // Spring: the local times from 02:00 to 03:00 do not exist.
    ['2026-03-08T06:59Z', 'America/New_York', '2026-03-08T01:59'],
    ['2026-03-08T07:00Z', 'America/New_York', '2026-03-08T03:00'],
    // Autumn: the hour before the change occurs twice.
    ['2026-11-01T05:30Z', 'America/New_York', '2026-11-01T01:30'],
    ['2026-11-01T06:30Z', 'America/New_York', '2026-11-01T01:30'],
    ['2026-11-01T07:00Z', 'America/New_York', '2026-11-01T02:00'],
    // Southern summer, half-hour change.
    ['2026-10-03T15:30Z', 'Australia/Lord_Howe', '2026-10-04T02:30'],
    // Midnight is 00:00, never 24:00.
    ['2026-03-01T15:00Z', 'Asia/Tokyo', '2026-03-02T00:00'],
    ['0099-06-01T00:00Z', 'UTC', '0099-06-01T00:00'],
  ])('%s in %s is %s', (text, timezone, wall) => expect(local(text, timezone)).toBe(wall));

  it('accepts Date and Luxon objects, also from another realm', () => {
    const instant = Date.UTC(2026, 2, 1, 0, 30);
    const luxon = { isLuxonDateTime: true, toMillis: () => instant };
    const foreignDate = { getTime: () => instant };
    for (const value of [new Date(instant), luxon, foreignDate, '2026-03-01T00:30Z']) {
      expect(local(value)).toBe('2026-03-01T09:30');
    }
  });

  it('agrees with the calendar in UTC for every instant of the years 1 to 9999', () => {
    const range = {
      min: new Date('0001-01-01T00:00Z'),
      max: new Date('9999-12-31T23:59Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(range), (date) => expect(local(date, 'UTC')).toBe(date.toISOString().slice(0, 16))),
    );
  });
});

test.each([
  ['2026-03-01T00:00:00Z', 'America/New_York', true],
  [new Date('2026-03-01T00:00:00Z'), 'America/New_York', true],
  [new Date('2026-03-01T02:30:00Z'), 'America/New_York', false],
  [{ toMillis: () => Date.UTC(2026, 2, 1), toISO: () => '2026-02-28T19:00:00-05:00' }, 'UTC', true],
  [{ toMillis: () => Date.UTC(2026, 2, 1), toISO: () => '2026-03-01T09:00:00+09:00' }, 'Asia/Tokyo', false],
  ['2026-03-01T00:00:00Z', 'Asia/Tokyo', false],
  ['2026-03-01', 'America/New_York', false],
])('%p is moved to another day in %s: %p', (value, timezone, isMoved) => {
  const moment = readMoment(value, timezone);
  expect('text' in moment && moment.isMoved === true).toBe(isMoved);
});

test('a time zone has a name of the IANA list', () => {
  for (const name of ['Asia/Tokyo', 'America/Argentina/Buenos_Aires', 'Etc/GMT+9', 'UTC'])
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  for (const name of ['BST', 'EST', 'JST', 'Japan', '+09:00', 'Nowhere/City', ''])
    expect([name, isTimeZone(name)]).toEqual([name, false]);
});

describe('refused', () => {
  it.each([
    ...[
      ...['2026-02-29', '2026-04-31T00:00Z', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'],
      ...['2026-01-01T24:00', '2026-01-01T10:60', '2026/2/30', '2026.13.1', '2026年2月30日'],
    ].map((text) => [text, 'names a day or a time of day that does not exist']),
    ['2026-01-01T10:00+15:00', 'is not a date in the form yyyy-MM-dd'],
    ['2026-01-01T10:00+09:75', 'is not a date in the form yyyy-MM-dd'],
    ...[
      ...['tomorrow', '31.12.2026', '03/04/2026', '3/1', '26/3/1', '2026/3', '２０２６-01-05'],
      ...['2026/3-1', '2026-3/1', '2026.3/1', '2026年3月1', '2026年3日1月', '2026-3-1日', '2026/3/1 9時'],
    ].map((text) => [text, 'is not a date in the form yyyy-MM-dd']),
    ['2026-01-01T10:00[Asia/Tokyo]', 'is not a date in the form yyyy-MM-dd'],
    ['+012026-01-01', 'is not a date in the form yyyy-MM-dd'],
    ['9999-12-31T20:00Z', 'lies outside the years 1 to 9999'],
    ['0001-01-01T00:00+14:00', 'lies outside the years 1 to 9999'],
  ])('%s', (text, problem) => expect(local(text)).toBe(`refused: it ${problem}`));

  it.each([
    [new Date(NaN), 'is not a valid date'],
    [new Date(8.64e15), 'lies outside the years 1 to 9999'],
    [new Date('-000001-01-01T00:00Z'), 'lies outside the years 1 to 9999'],
    [{ toMillis: () => NaN }, 'is not a valid date'],
    [{ toMillis: () => 'soon' }, 'is not a valid date'],
    [1_772_323_200_000, 'is not a date'],
    [true, 'is not a date'],
    [{}, 'is not a date'],
    [[], 'is not a date'],
  ])('%p', (value, problem) => expect(local(value)).toBe(`refused: it ${problem}`));

  it('an unknown time zone, only if it is needed', () => {
    expect(local('2026-03-01T00:00Z', 'Mars/Olympus')).toBe(
      'refused: it cannot be converted to the time zone "Mars/Olympus", which is not known',
    );
    expect(local('2026-03-01', 'Mars/Olympus')).toBe('2026-03-01T00:00');
  });
});
