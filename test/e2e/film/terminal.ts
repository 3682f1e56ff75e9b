import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';

const PAGE = `<body style="margin: 0; background: #14141f; color: #e8e8f0; font: 22px/1.5 monospace">
  <pre id="terminal" style="margin: 32px; white-space: pre-wrap"></pre></body>`;

/** Shows a terminal in a page. */
export async function showTerminal(page: Page): Promise<void> {
  await page.setContent(PAGE);
}

/** Types a command into the terminal, runs it, and shows what it prints. @throws Error if it fails */
export async function runInTerminal(page: Page, command: string, cwd: string): Promise<void> {
  await write(page, '$ ');
  for (const letter of command) {
    await write(page, letter);
    await sleep(30);
  }
  await write(page, '\n');
  const running = spawn(command, { cwd, shell: true, env: { ...process.env, npm_config_loglevel: 'error' } });
  const show = (data: Buffer): void => void write(page, data.toString());
  running.stdout.on('data', show);
  running.stderr.on('data', show);
  const [code] = (await once(running, 'close')) as [number | null];
  if (code !== 0) throw new Error(`"${command}" ended with ${code}.`);
}

async function write(page: Page, text: string): Promise<void> {
  await page.evaluate(`document.getElementById('terminal').append(${JSON.stringify(text)})`);
}
