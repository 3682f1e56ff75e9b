import { runningDemo, runningN8n } from './support/running';

/** Tests a credential as n8n's credential dialog does on Save: with the test of a node that uses the type. */
async function testCredential(data: Record<string, unknown>): Promise<{ status: string; message: string }> {
  return await runningN8n().post('credentials/test', {
    credentials: { id: '', name: 'Under test', type: 'applicationDataServiceApi', data },
  });
}

describe('The credential test', () => {
  const { baseUrl, accessKey } = runningDemo().sandbox;

  it('accepts the address and key of the service', async () => {
    expect(await testCredential({ baseUrl, accessKey })).toMatchObject({ status: 'OK' });
  });

  it('accepts an address copied from the browser', async () => {
    expect(await testCredential({ baseUrl: `${baseUrl}/dneo.cgi?page=1`, accessKey })).toMatchObject({
      status: 'OK',
    });
  });

  it('says that the service refused the key, and does not show it', async () => {
    const { status, message } = await testCredential({ baseUrl, accessKey: 'no-such-key-4711' });

    expect(status).toBe('Error');
    expect(message).toMatch(/access key/i);
    expect(message).not.toContain('no-such-key-4711');
  });

  it('says that nothing answers at the address', async () => {
    const { status, message } = await testCredential({
      baseUrl: 'http://127.0.0.1:9/cgi-bin/dneo',
      accessKey,
    });

    expect(status).toBe('Error');
    expect(message).toContain('Nothing answers at http://127.0.0.1:9.');
  });
});
