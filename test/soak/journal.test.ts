import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { APPLICATION } from './world/application';
import { beginJournal, readFileHashes, readJournal } from './world/journal';
import { sha256 } from './writers/desk';
import { Sandbox } from '../support/sandbox';

test('the journal contains every change of the sandbox, also after a kill, and the content of files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const data = join(folder, 'sandbox.sqlite');
  let sandbox = await Sandbox.start({ data });
  await sandbox.stop();
  beginJournal(data);
  sandbox = await Sandbox.start({ data });
  const { id, parts } = await sandbox.createApplication({
    ...APPLICATION,
    records: [{ Key: 'a', State: 'open' }],
  });
  await sandbox.changeRecord(id, '1', { 'Lane 2': 't', Rows: [{ Item: 'r', Mark: 'm' }] });
  await sandbox.kill();
  sandbox = await Sandbox.start({ data });
  const [second] = await sandbox.addRecords(id, [{ Files: [{ name: 'f.txt', text: 'content' }] }]);
  await sandbox.removeRecord(id, '1');
  const journal = readJournal(data, id, parts);
  const hashes = readFileHashes(data, id);
  await sandbox.stop();
  rmSync(folder, { recursive: true });

  expect(journal.map(({ event, record, revision }) => [event, record, revision])).toEqual([
    ['insert', '1', 1],
    ['update', '1', 2],
    ['insert', second, 1],
    ['delete', '1', 2],
  ]);
  expect(journal[1]).toMatchObject({ texts: { Key: 'a', State: 'open', 'Lane 2': 't' } });
  expect(journal[1]?.rows).toMatchObject([{ item: 'r', mark: 'm' }]);
  expect(journal[2]?.files).toMatchObject([{ name: 'f.txt' }]);
  expect(hashes.get(journal[2]!.files[0]!.id)).toBe(sha256(Buffer.from('content')));
}, 60_000);
