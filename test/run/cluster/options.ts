import { parseArgs } from 'node:util';

import { DemoError } from '../../../demo/process/demo-error.ts';

export const HELP = `Starts n8n in queue mode: one main, a webhook process, workers, Redis, PostgreSQL, and the sandbox with the
example workflows.
Everything uses temporary folders and free ports. Nothing is kept.

npm run cluster -- [options]

  --workers N        number of workers (default 2)
  --env NAME=VALUE   environment variable for every n8n process; can be repeated
  --log-folder DIR   folder for the logs
  --json             print lines of JSON instead of text; stop when standard input closes
  --help             show this text

While it runs, type "stop", "kill" (like a crash) or "start", and one or more names: main, webhook,
worker-1, worker-2 and so on. Press Ctrl-C to stop everything.`;

export interface ClusterOptions {
  readonly workers: number;
  readonly settings: NodeJS.ProcessEnv;
  readonly logFolder: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws DemoError for an unknown option or an invalid value */
export function readClusterOptions(args: readonly string[]): ClusterOptions {
  const { values } = parse(args);
  return {
    workers: readWorkers(values.workers),
    settings: Object.fromEntries((values.env ?? []).map(readSetting)),
    logFolder: values['log-folder'],
    json: values.json === true,
    help: values.help === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        workers: { type: 'string' },
        env: { type: 'string', multiple: true },
        'log-folder': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new DemoError(`${(error as Error).message}\n\n${HELP}`);
  }
}

function readWorkers(text = '2'): number {
  const workers = Number(text);
  if (Number.isInteger(workers) && workers >= 1) return workers;
  throw new DemoError(`--workers must be a whole number, 1 or more, not "${text}".`);
}

function readSetting(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)];
  throw new DemoError(`--env needs NAME=VALUE, not "${text}".`);
}
