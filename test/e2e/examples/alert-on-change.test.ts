import { seededId } from '../support/examples';
import { runningN8n } from '../support/running';

const n8n = runningN8n();

describe('The example that tells of changes', () => {
  it('shows a change as the trigger gives it, and waits to be published', async () => {
    const id = seededId('alert-on-change.json');

    const execution = await n8n.run(id, 'When a Customer Changes');

    const [change] = execution.items('When a Customer Changes');
    expect(change).toEqual({
      event: 'created',
      id: expect.stringMatching(/^\d+$/) as string,
      revision: expect.any(Number) as number,
      previousRevision: null,
      canWrite: true,
      canDelete: true,
      Company: expect.any(String) as string,
      Contact: expect.anything() as string,
      Rank: expect.anything() as string,
    });
    expect(execution.items('What Happened')[0]).toEqual({
      text: `${String(change?.Company)} (record ${String(change?.id)}) was created`,
      revisions: `none → ${String(change?.revision)}`,
    });
    expect(await n8n.get(`workflows/${id}`)).toMatchObject({ active: false });
  });
});
