import { parseArgs } from 'node:util';
import { defaultAccessKey } from '../samples/people.ts';
import type { SandboxOptions } from './sandbox.ts';
import { help } from './help.ts';

/** The options of the command line. */
export interface Options extends SandboxOptions {
  /** One line of JSON instead of the greeting. */
  readonly json: boolean;
  /** End when standard input closes. */
  readonly exitWithParent: boolean;
  /** Switches to set at start. */
  readonly dialect: Readonly<Record<string, string>>;
}

const definitions = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string', default: ':memory:' },
  records: { type: 'string', default: '0' },
  key: { type: 'string', default: defaultAccessKey },
  dialect: { type: 'string', multiple: true, default: [] as string[] },
  json: { type: 'boolean', default: false },
  'exit-with-parent': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line. Returns undefined if there is nothing to run; then it has printed why and set the exit code.
 */
export function readOptions(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({ args, options: definitions, strict: true });
    if (values.help) {
      process.stdout.write(help());
      return undefined;
    }
    return {
      port: integer('--port', values.port, 65_535),
      host: values.host,
      data: values.data,
      accessKey: values.key,
      records: integer('--records', values.records, 10_000_000),
      json: values.json,
      exitWithParent: values['exit-with-parent'],
      dialect: Object.fromEntries(values.dialect.map(readSwitch)),
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nSee: npm run sandbox -- --help\n`);
    process.exitCode = 1;
    return undefined;
  }
}

function integer(name: string, text: string, most: number): number {
  const value = Number(text);
  if (text !== '' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${name} must be an integer from 0 to ${most}`);
}

function readSwitch(setting: string): [string, string] {
  const at = setting.indexOf('=');
  if (at < 1) throw new RangeError('--dialect needs NAME=VALUE');
  return [setting.slice(0, at), setting.slice(at + 1)];
}
