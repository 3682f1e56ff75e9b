import { createInterface } from 'node:readline';

import { DemoError } from '../../../demo/process/demo-error.ts';
import type { Members } from './members.ts';

/** The result of a typed line; `failure` says why it failed. */
export interface CommandResult {
  readonly command: string;
  readonly failure?: string;
}

/** Runs typed commands, one line after the other. Resolves when the input ends. */
export async function runCommands(members: Members, report: (result: CommandResult) => void): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = line.trim();
    if (command === '') continue;
    try {
      await runCommand(members, command);
      report({ command });
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      report({ command, failure: error.message });
    }
  }
}

async function runCommand(members: Members, command: string): Promise<void> {
  const [verb, ...names] = command.split(/\s+/);
  const act = verb === 'start' || verb === 'stop' || verb === 'kill' ? verb : undefined;
  if (act === undefined || names.length === 0)
    throw new DemoError(`Type "stop", "kill" or "start", and one or more of ${members.names.join(', ')}.`);
  await Promise.all(names.map(async (name) => await members[act](name)));
}
