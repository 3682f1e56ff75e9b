import { demoCredential, n8n, sandbox } from '../support/here';
import type { Execution } from '../support/n8n';
import { useApplication } from '../support/use-application';
import { actionNode, chain, START } from '../support/workflow';

const LIBRARY = 'e2e_library';
const TEXT = 'A page of a long document.\n'.repeat(2000);
/** A stall of a minute counts, and it is tried twice. */
const LONGEST_MS = 150_000;

let workflow: string;

const library = useApplication({
  name: 'Library',
  identifier: LIBRARY,
  parts: [
    { name: 'Title', type: 'textbox' },
    { name: 'Document', type: 'files' },
  ],
  records: [{ Title: 'Long', Document: [{ name: 'long.txt', mimeType: 'text/plain', text: TEXT }] }],
});

beforeAll(async () => {
  const node = actionNode('Download', demoCredential, ['attachment', 'download', LIBRARY], {
    recordId: { __rl: true, mode: 'id', value: '1' },
    attachmentPart: library().parts.Document,
    binaryPropertyName: 'data',
  });
  ({ id: workflow } = await n8n.post<{ id: string }>('workflows', chain('A stalled file', [node])));
});

async function download(): Promise<Execution> {
  return await n8n.reached(await n8n.start(workflow, START), undefined, LONGEST_MS);
}

test('a file that stalls in the middle fails the node in time, and the next download works', async () => {
  // A twentieth of the file, then nothing for longer than a minute.
  await sandbox.setFaults([{ kind: 'slow', ms: 20 * 90_000, action: 'download_data_file' }]);
  const stalled = await download();

  expect(stalled.status).toBe('error');
  expect(stalled.error?.message).toContain('No more data arrived for 60 seconds (tried 2 times)');

  await sandbox.clearFaults();
  const { status, binary } = await download();
  expect(status).toBe('success');
  expect(await n8n.download(binary('Download', 'data')!)).toBe(TEXT);
});
