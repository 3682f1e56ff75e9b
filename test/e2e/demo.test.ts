import { startRefused } from './support/demo';
import { demo, n8n } from './support/here';

interface InstalledPackage {
  readonly packageName: string;
  readonly failedLoading: boolean;
  readonly installedNodes: readonly { readonly name: string }[];
}

describe('The demo', () => {
  it('has the packed package installed, in the same way as n8n installs one', async () => {
    const packages = await n8n.get<InstalledPackage[]>('community-packages');

    expect(packages).toHaveLength(1);
    expect(packages[0]).toMatchObject({
      packageName: 'n8n-nodes-application-data-service',
      failedLoading: false,
    });
    expect(packages[0]?.installedNodes.map(({ name }) => name).sort()).toEqual([
      'Application Data Service',
      'Application Data Service Trigger',
      'Application Data Service Webhook Trigger',
    ]);
  });

  it('says in a sentence that a port is in use, and which option sets another', () => {
    const { port } = new URL(demo.n8nUrl);

    const { exitCode, message } = startRefused(['--ephemeral', '--n8n-port', port]);

    expect(exitCode).toBe(1);
    expect(message).toContain(`Port ${port}, which n8n needs, is in use`);
    expect(message).toContain('npm start -- --n8n-port');
    expect(message).not.toMatch(/\n\s+at /);
  });

  it('explains its options if it does not know one', () => {
    const { exitCode, message } = startRefused(['--rest']);

    expect(exitCode).toBe(1);
    expect(message).toContain('--rest');
    expect(message).toContain('--reset ');
  });
});
