import { readOptions } from './options.ts';
import { changeDialect } from './dialect.ts';
import { Sandbox } from './sandbox.ts';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `The sandbox needs Node 24 or newer; this is ${process.versions.node}. Use: npm run sandbox\n`,
  );
  process.exit(1);
}

const options = readOptions(process.argv.slice(2));
if (options) await run(options);

async function run({ json, exitWithParent, dialect, ...rest }: NonNullable<typeof options>): Promise<void> {
  const sandbox = new Sandbox(rest);
  changeDialect(sandbox.service.dialect, dialect);
  const addresses = await sandbox.start();
  if (json) process.stdout.write(`${JSON.stringify(addresses)}\n`);
  else process.stdout.write(greeting(addresses, rest.data));

  let closing = false;
  const end = () => {
    if (closing) return;
    closing = true;
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (exitWithParent) process.stdin.on('close', end).on('end', end).resume();
}

function greeting(
  { baseUrl, accessKey, controlUrl }: Awaited<ReturnType<Sandbox['start']>>,
  data: string,
): string {
  const kept = data === ':memory:' ? 'in memory: nothing is kept' : data;
  return `The sandbox is ready.

  Base URL    ${baseUrl}
  Access key  ${accessKey}
  Page        ${new URL('/', baseUrl).href}
  Control     ${controlUrl}
  Data        ${kept}

Ctrl-C ends it.
`;
}
