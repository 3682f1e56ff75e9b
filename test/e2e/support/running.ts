import { SandboxControl } from '../../support/sandboxControl';
import type { Demo } from './demo';
import { N8n, type Session } from './n8n';

const VARIABLE = 'E2E_RUNNING';

interface Running {
  readonly demo: Demo;
  readonly session: Session;
}

/** Tells the test files what the run has started. */
export function publish(running: Running): void {
  process.env[VARIABLE] = JSON.stringify(running);
}

function read(): Running {
  const published = process.env[VARIABLE];
  if (published === undefined) throw new Error('No demo is running: start these tests with "npm run e2e".');
  return JSON.parse(published) as Running;
}

/** The demo of this run of the end-to-end tests. */
export function runningDemo(): Demo {
  return read().demo;
}

/** The demo's sandbox. */
export function runningSandbox(): SandboxControl {
  return new SandboxControl(runningDemo().sandbox);
}

/** The login of this run, as the demo's owner. */
export function runningSession(): Session {
  return read().session;
}

/** The demo's n8n, logged in. */
export function runningN8n(): N8n {
  const { demo, session } = read();
  return new N8n(demo.n8nUrl, session);
}
