import type { SandboxAddress } from './sandbox.ts';
import type { Seeded } from './seed.ts';

/** The addresses of a running n8n, and of the sandbox beside it. */
export interface DemoAddress {
  readonly n8nUrl: string;
  readonly email: string;
  readonly password: string;
  readonly sandbox: SandboxAddress;
  readonly credentialId: string;
  readonly workflows: Seeded['workflows'];
}
