import type { SandboxAddress } from './sandbox.ts';
import type { Seeded } from './seed.ts';

/** How to reach an n8n that is up, and the sandbox beside it. */
export interface DemoAddress {
  readonly n8nUrl: string;
  readonly email: string;
  readonly password: string;
  readonly sandbox: SandboxAddress;
  readonly credentialId: string;
  readonly workflows: Seeded['workflows'];
}
