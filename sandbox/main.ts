import { readOptions } from './process/options.ts';
import { changeDialect } from './settings/switches.ts';
import { Sandbox, type SandboxOptions } from './process/sandbox.ts';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `The sandbox needs Node 24 or newer; this is ${process.versions.node}. Use: npm run sandbox\n`,
  );
  process.exit(1);
}

const options = readOptions(process.argv.slice(2));
if (options) {
  await run(options).catch((error: unknown) => {
    process.stderr.write(`${reasonOf(error, options)}\n`);
    process.exit(1);
  });
}

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
  const kept = data === ':memory:' ? 'in memory, lost when the sandbox stops' : data;
  return `The sandbox is ready. Enter in the credential of n8n:

  Base URL    ${baseUrl}
  Access Key  ${accessKey}

Records and calls are shown at ${new URL('/', baseUrl).href}

  Control     ${controlUrl}
  Data        ${kept}

Press Ctrl-C to stop it.
`;
}

/** Why the sandbox could not start, in a sentence; with a stack only for unexpected errors. */
function reasonOf(error: unknown, { port, data }: SandboxOptions): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Choose another one with --port, or 0 for any free port.`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `The sandbox cannot listen at this address: ${error.message}`;
  if (code === 'ERR_SQLITE_ERROR') return `The sandbox cannot use the data file ${data}: ${error.message}`;
  return error instanceof RangeError ? error.message : (error.stack ?? error.message);
}
