import {
  isSmallRead,
  kindOf,
  timeoutOf,
  TIMEOUT_MS,
} from '../../../../nodes/ApplicationDataService/service/http/action';
import type { FormFile } from '../../../../nodes/ApplicationDataService/service/http/multipart';

test.each(['insert_data', 'update_data', 'delete_data'])('%s changes data', (action) => {
  expect(kindOf(action)).toBe('write');
});

test.each(['list_data', 'get_data', 'count_data', 'get_app', 'list_apps'])('%s changes no data', (action) => {
  expect(kindOf(action)).toBe('read');
});

describe('a small read, which is the best to probe a full queue with,', () => {
  const limited = (limit: string): [string, string][] => [['limit', limit]];

  test.each<[string, [string, string][]]>([
    ['get_data', []],
    ['get_app', []],
    ['count_data', []],
    ['list_applabels', []],
    ['list_data', limited('100')],
    ['list_apps', limited('1')],
  ])('is %s with %j', (action, fields) => {
    expect(isSmallRead(action, fields)).toBe(true);
  });

  test.each<[string, [string, string][]]>([
    ['list_data', []],
    ['list_data', limited('101')],
    ['download_data_file', []],
    ['insert_data', []],
    ['update_data', limited('1')],
  ])('is not %s with %j', (action, fields) => {
    expect(isSmallRead(action, fields)).toBe(false);
  });
});

test('a call may take the longer, the larger its files are', () => {
  const file = (size: number): FormFile => ({ content: { size } }) as FormFile;
  expect(timeoutOf([])).toBe(TIMEOUT_MS);
  expect(timeoutOf([file(250_000), file(250_000)])).toBe(TIMEOUT_MS + 2000);
});
