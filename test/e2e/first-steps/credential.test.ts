import { CredentialForm } from '../support/credential-form';
import type { Editor } from '../support/editor';
import { demo, n8n } from '../support/here';
import { takePicture } from '../support/pictures';
import { useEditor } from '../support/use-browser';

const { baseUrl, accessKey } = demo.sandbox;
const NAME = 'Our customers and orders';

let editor: Editor;
let form: CredentialForm;
useEditor((own) => {
  editor = own;
  form = new CredentialForm(own);
});

afterAll(async () => {
  const credentials = await n8n.get<{ id: string; name: string }[]>('credentials');
  for (const { id } of credentials.filter(({ name }) => name === NAME)) {
    await n8n.delete(`credentials/${id}`);
  }
});

/** One form, as a person fills it in: first wrong, then right. */
describe('A new credential', () => {
  it('is found by typing, and says what to enter', async () => {
    await form.open();
    await form.rename(NAME);
  });

  it('says that the key is wrong, and where to look', async () => {
    await form.save(baseUrl, 'no-such-key-4711');

    const text = await form.sentence(/access key/);
    expect(text).toContain('The service did not accept the access key');
    expect(text).toContain('Check the access key and the authentication header name in the credential.');
    expect(text).not.toContain('4711');
    await takePicture(editor.page, 'credential-wrong-key', form.form);
  });

  it('says that the address leads elsewhere, and which part of it to check', async () => {
    await form.save(`${baseUrl}/elsewhere/`, accessKey);

    const text = await form.sentence(/no application-data service/);
    expect(text).toContain('Check the base URL and the data module in the credential');
  });

  it('is tested successfully with the address and the key of the service', async () => {
    await form.save(baseUrl, accessKey);

    await form.isAccepted();
    await takePicture(editor.page, 'credential', form.form);
  });

  it('is listed under its name', async () => {
    await editor.page.goto(`${demo.n8nUrl}/home/credentials`);

    await editor.get('resources-list-item').filter({ hasText: NAME }).waitFor();
  });
});
