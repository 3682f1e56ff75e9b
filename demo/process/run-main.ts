import { constants } from 'node:os';

import { whenOrphaned } from '../../scripts/when-orphaned.mjs';

import { Children } from './children.ts';
import { DemoError } from './demo-error.ts';
import { say } from '../../scripts/progress.mjs';

type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Runs a command and ends the process, after all children that it started. A `DemoError` is one sentence on the error
 * output; any other error shows its stack. Both set the exit code 1. A signal during `prepare` sets its usual 128 +
 * number.
 * @param prepare returns `serve` to run until a signal (exit code 0) or until one of the children ends
 */
export async function runMain(prepare: (children: Children) => Promise<'serve' | 'done'>): Promise<never> {
  const children = new Children();
  let exitCode = 0;
  try {
    const signal = nextSignal();
    const reached = await Promise.race([prepare(children), signal]);
    if (reached === 'serve') await serveUntil(signal, children);
    else if (reached !== 'done') exitCode = 128 + constants.signals[reached];
  } catch (error) {
    console.error(error instanceof DemoError ? `\n${error.message}` : error);
    exitCode = 1;
  }
  await children.stopAll();
  process.exit(exitCode);
}

async function serveUntil(signal: Promise<EndSignal>, children: Children): Promise<void> {
  const crash = await Promise.race([signal.then(() => undefined), children.firstEnd()]);
  if (crash !== undefined) throw new DemoError(`${crash}\nThe demo cannot continue without it and stops.`);
  say('\nStopping ...');
}

async function nextSignal(): Promise<EndSignal> {
  return await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    whenOrphaned(() => resolve('SIGTERM'));
  });
}
