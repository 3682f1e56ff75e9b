import type { IBinaryData } from 'n8n-workflow';

import { FileStore } from '../../../nodes/ApplicationDataService/trigger/node/fileStore';

const MEGABYTE = 1_000_000;

function data(name: string): IBinaryData {
  return { data: name, mimeType: 'text/plain' };
}

function keep(kept: FileStore, key: string, megabytes: number): void {
  kept.keep(key.split('/')[0]!, key, data(key), megabytes * MEGABYTE);
}

function store(...files: readonly (readonly [key: string, megabytes: number])[]): FileStore {
  const kept = new FileStore();
  for (const [key, megabytes] of files) keep(kept, key, megabytes);
  return kept;
}

test("files are kept up to 50 MB; of other records' files, the oldest are dropped first", () => {
  const kept = store(['1/a', 20], ['2/a', 20], ['2/b', 10], ['3/a', 15]);
  expect(['1/a', '2/a', '2/b', '3/a'].map((key) => kept.get(key)?.data)).toEqual([
    undefined,
    '2/a',
    '2/b',
    '3/a',
  ]);
});

test('a record with larger files keeps the first ones, so each poll has fewer to download', () => {
  const kept = store(['9/z', 5], ['1/a', 20], ['1/b', 20], ['1/c', 20], ['1/d', 10]);
  expect(['9/z', '1/a', '1/b', '1/c', '1/d'].map((key) => kept.get(key) !== undefined)).toEqual([
    false,
    true,
    true,
    false,
    true,
  ]);
});

test('a file of more than 50 MB is not kept, and causes no other to be dropped', () => {
  const kept = store(['1/a', 20], ['2/a', 51]);
  expect([kept.get('1/a')?.data, kept.get('2/a')]).toEqual(['1/a', undefined]);
});

test('the files of a record are dropped when the record is output', () => {
  const kept = store(['1/a', 30], ['11/a', 10]);
  kept.release('1');
  expect([kept.get('1/a'), kept.get('11/a')?.data]).toEqual([undefined, '11/a']);
  keep(kept, '2/a', 40);
  expect([kept.get('11/a')?.data, kept.get('2/a')?.data]).toEqual(['11/a', '2/a']);
});
