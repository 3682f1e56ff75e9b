import { Sandbox } from '../support/sandbox';

describe('the sandbox as a process', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await Sandbox.start();
  });
  afterAll(() => sandbox.stop());

  it('keeps what was inserted', async () => {
    const { id } = await sandbox.createApplication({
      name: 'Notes',
      parts: [{ name: 'Title', type: 'textbox' }],
    });
    const answer = await sandbox.call('insert_data', { app_id: id, '{{Title}}': 'One' });
    expect(answer).toEqual({ status: 'ok', ID: '1' });
    expect(await sandbox.records(id)).toMatchObject([{ id: '1', revision: 1, values: { Title: 'One' } }]);
  });

  it('goes back to the samples', async () => {
    await sandbox.call('delete_data', { app_id: '@customers', data_id: '1,2' });
    await sandbox.reset();
    expect(await sandbox.records('customers')).toHaveLength(4);
  });

  it('refuses connections while it is stopped, at the same address afterwards', async () => {
    await sandbox.stopListening();
    await expect(sandbox.call('list_apps')).rejects.toThrow();
    await sandbox.startListening();
    expect(await sandbox.call('list_apps')).toMatchObject({ status: 'ok' });
  });
});
