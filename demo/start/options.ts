import { parseArgs } from 'node:util';

import { N8N_PORT, type PlaceOptions, SANDBOX_PORT } from '../place/place.ts';
import { DemoError } from '../process/demo-error.ts';

export const HELP = `Starts n8n with the Application Data Service nodes, a local service to try them with, and example workflows.

npm start -- [options]

  --n8n-port N       port of n8n (default ${N8N_PORT})
  --sandbox-port N   port of the sandbox (default ${SANDBOX_PORT})
  --reset            start over: deletes workflows, credentials and records of the demo
  --ephemeral        use a temporary folder and free ports; keep nothing
  --json             print one line of JSON when everything is running, instead of the text
  --data-folder DIR  folder for the data (default demo/.data)
  --log-folder DIR   folder for the logs (default: "logs" in the data folder)
  --help             show this text

Press Ctrl-C to stop it.`;

export interface Options extends PlaceOptions {
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws DemoError for an unknown option or an invalid port. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  return {
    n8nPort: readPort('--n8n-port', values['n8n-port']),
    sandboxPort: readPort('--sandbox-port', values['sandbox-port']),
    reset: values.reset === true,
    ephemeral: values.ephemeral === true,
    json: values.json === true,
    help: values.help === true,
    dataFolder: values['data-folder'],
    logFolder: values['log-folder'],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'n8n-port': { type: 'string' },
        'sandbox-port': { type: 'string' },
        reset: { type: 'boolean' },
        ephemeral: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
        'data-folder': { type: 'string' },
        'log-folder': { type: 'string' },
      },
    });
  } catch (error) {
    throw new DemoError(`${(error as Error).message}\n\n${HELP}`);
  }
}

function readPort(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new DemoError(`${option} must be a port number from 1 to 65535, not "${text}".`);
}
