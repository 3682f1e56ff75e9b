import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which the demo installs n8n. Its nodes are the peers. */
export const DEMO = join(__dirname, '..', '..', 'demo');

/** What to do before n8n's own nodes can be loaded from a folder; `null` if they are installed. */
export function whatToInstall(folder = DEMO): string | null {
  if (existsSync(join(folder, 'node_modules', 'n8n-nodes-base', 'package.json'))) return null;
  return 'The comparisons need n8n in demo/, and it is not installed there. To install it, run: node demo/install.ts';
}
