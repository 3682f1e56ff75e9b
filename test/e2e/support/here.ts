import { runningDemo, runningN8n, runningSandbox } from './running';
import type { CredentialName } from './workflow';

/** The demo of this run of the end-to-end tests, its n8n, logged in as the owner, and its sandbox. */
export const demo = runningDemo();
export const n8n = runningN8n();
export const sandbox = runningSandbox();

/** The demo's credential, as nodes name it. */
export const demoCredential: CredentialName = { id: demo.credentialId, name: 'sandbox' };
