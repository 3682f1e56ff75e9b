import { createInterface } from 'node:readline';

import { DemoError } from '../process/demo-error.ts';
import type { Members } from './members.ts';

/** What happened to a typed line; `failure` says why it could not be done. */
export interface Obeyed {
  readonly command: string;
  readonly failure?: string;
}

/** Does what is typed, one line after the other; resolves when the input ends. */
export async function obeyCommands(members: Members, tell: (obeyed: Obeyed) => void): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = line.trim();
    if (command === '') continue;
    try {
      await obey(members, command);
      tell({ command });
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      tell({ command, failure: error.message });
    }
  }
}

async function obey(members: Members, command: string): Promise<void> {
  const [verb, ...names] = command.split(/\s+/);
  const act = verb === 'start' || verb === 'stop' || verb === 'kill' ? verb : undefined;
  if (act === undefined || names.length === 0)
    throw new DemoError(`Type "stop", "kill" or "start", and one or more of ${members.names.join(', ')}.`);
  await Promise.all(names.map(async (name) => await members[act](name)));
}
