import { actionNode, chain, n8nNode, START } from '../../support/workflow';
import type { ClusterPlace } from '../support/place';

/** 4 MB of text without repetitions, which the workflow creates. */
const LINES = 200_000;
const MAKE_FILE = `
const text = Array.from({ length: ${LINES} }, (_, line) => 'line ' + line + ' 値段表').join('\\n');
return [{ json: { recordId: $json.id }, binary: { data: await this.helpers.prepareBinaryData(Buffer.from(text), 'prices.txt') } }];`;

export function filesAcrossProcesses(here: () => ClusterPlace): void {
  describe('Files', () => {
    it('are uploaded and downloaded by a worker, byte for byte, and kept in the database', async () => {
      const { cluster, credential, sandbox, save } = here();
      const [recordId = ''] = await sandbox.addRecords('customers', [{ Company: 'Holder of Files' }]);
      const documents = { recordId, attachmentPart: 'Documents', binaryPropertyName: 'data' };
      const workflow = await save(
        chain('Files', [
          n8nNode('Make', 'code', 2, { jsCode: MAKE_FILE }),
          actionNode('Upload', credential, ['attachment', 'upload', 'customers'], documents),
          actionNode('Download', credential, ['attachment', 'download', 'customers'], documents),
        ]),
      );

      const execution = await cluster.rest.run(workflow, START);

      expect(execution.error).toBeUndefined();
      expect(cluster.workersOf(execution.id)).toHaveLength(1);
      expect(execution.items('Download')).toEqual([
        expect.objectContaining({ name: 'prices.txt', recordId }),
      ]);
      const [made, downloaded] = [execution.binary('Make', 'data'), execution.binary('Download', 'data')];
      expect([made?.id, downloaded?.id]).toEqual([
        expect.stringMatching(/^database:/) as string,
        expect.stringMatching(/^database:/) as string,
      ]);
      const text = await cluster.rest.download(downloaded ?? { id: '', fileName: '' });
      expect(text).toBe(Array.from({ length: LINES }, (_, line) => `line ${line} 値段表`).join('\n'));
    });
  });
}
