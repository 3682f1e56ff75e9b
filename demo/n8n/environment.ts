import { delimiter, dirname, join } from 'node:path';

import { LOOPBACK } from '../place/checks.ts';
import { compiledFolder } from '../place/paths.ts';

/** Settings of another n8n, its database or its queue, which must not reach the demo's n8n. */
const FOREIGN = /^(N8N|DB|EXECUTIONS|QUEUE|WEBHOOK|CREDENTIALS|NODES|NODE_FUNCTION|npm)_/;

/** n8n sends nothing: no telemetry, and no requests for new versions, templates, packages, banners or licences. */
const QUIET = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_PYTHON_ENABLED: 'false',
  N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub,quick-connect,instance-version-history',
};

/**
 * The folder in which workflows may read and write files. n8n's default is `.n8n-files` in the home folder, where n8n
 * usually runs; the demo's n8n runs in its user folder. So `.n8n-files/x` is right in a workflow for both.
 */
export function filesFolder(userFolder: string): string {
  return join(userFolder, '.n8n-files');
}

/**
 * Environment of an n8n that listens on this machine only and keeps everything in `userFolder`.
 * @param brokerPort port on which its task runner finds it
 */
export function n8nEnvironment(userFolder: string, port: number, brokerPort: number): NodeJS.ProcessEnv {
  return {
    ...ownEnvironment(),
    ...QUIET,
    // Test runners set another value, with which n8n logs nothing and ends.
    NODE_ENV: 'production',
    // Halves the processor time for loading its modules.
    NODE_COMPILE_CACHE: compiledFolder,
    N8N_USER_FOLDER: userFolder,
    N8N_RESTRICT_FILE_ACCESS_TO: filesFolder(userFolder),
    N8N_LISTEN_ADDRESS: LOOPBACK,
    N8N_HOST: LOOPBACK,
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    // Browsers do not return a secure cookie over plain HTTP.
    N8N_SECURE_COOKIE: 'false',
    N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
    GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
    NO_PROXY: [process.env.NO_PROXY, LOOPBACK, 'localhost'].filter(Boolean).join(','),
  };
}

/**
 * This process's environment, without the variables of npm and of another n8n. This Node.js comes first in the path,
 * because n8n starts its task runner as plain "node".
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !FOREIGN.test(name) && name.toUpperCase() !== 'PATH',
  );
  return { ...Object.fromEntries(own), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
}
