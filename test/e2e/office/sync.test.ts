import { openNode } from '../support/browser';
import type { Editor } from '../support/editor';
import { demo, demoCredential, n8n } from '../support/here';
import { untilSays } from '../support/patience';
import { takePicture } from '../support/pictures';
import { useApplication } from '../support/use-application';
import { useEditor } from '../support/use-browser';
import { actionNode, chain, mapped, n8nNode } from '../support/workflow';

const STAFF = 'e2e_staff';
const LEFT = ['Former A', 'Former B'];
const NAMES = Array.from({ length: 20 }, (_, index) => `Employee ${index + 1}`);

const staff = useApplication({
  name: 'Staff',
  identifier: STAFF,
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Room', type: 'textbox' },
  ],
  records: [...NAMES, ...LEFT].map((Name) => ({ Name, Room: '1' })),
});

let editor: Editor;
useEditor((own) => (editor = own));

describe('A dry run of Sync', () => {
  it('shows first what would be removed, and names it above the output', async () => {
    const list = NAMES.map((name, index) => ({ json: { name, room: index === 4 ? '2' : '1' } }));
    // By ID, as the editor saves them: it drops keys that it does not know when the node is opened.
    const { Name = '', Room = '' } = staff().parts;
    const { id } = await n8n.post<{ id: string }>(
      'workflows',
      chain('Staff in step', [
        n8nNode('List', 'code', 2, { jsCode: `return ${JSON.stringify(list)};` }),
        actionNode('Sync', demoCredential, ['record', 'sync', STAFF], {
          parts: mapped({ [Name]: '={{ $json.name }}', [Room]: '={{ $json.room }}' }, [Name]),
          missing: 'delete',
          options: { dryRun: true },
        }),
      ]),
    );
    await openNode(editor.page, demo, id, 'Sync');
    await editor.executeStep();

    await untilSays(
      editor.output,
      /1 would be updated, 19 unchanged, 2 would be removed \(21 "Former A"; 22 "Former B"\)/,
    );
    expect(await editor.firstRow()).toEqual(expect.arrayContaining(['21', 'deleted', 'Former A']));
    await takePicture(editor.page, 'sync-dry-run', editor.output);
  });
});
