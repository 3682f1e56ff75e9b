import { faultKinds } from '../settings/faults.ts';
import { switches } from '../settings/switches.ts';

/** What `npm run sandbox -- --help` prints. */
export function help(): string {
  return `A local Application Data Service to try workflows against, with sample applications.

Usage: npm run sandbox -- [options]

  --port NUMBER       port of the service; 0 for any free port (default 8787)
  --host ADDRESS      address to listen on (default 127.0.0.1)
  --data FILE         file to keep the data in (default: none, the data is lost at the end)
  --records NUMBER    also create an application "large" with this many records, always the same
  --key KEY           access key of the first user (default sandbox-access-key)
  --dialect NAME=VALUE  set a dialect switch; can be repeated
  --json              print one line of JSON when ready: baseUrl, accessKey, controlUrl
  --exit-with-parent  stop when standard input closes
  --help              this text

The data module is at <baseUrl>/appsr.cgi, downloads are at <baseUrl>/appsuite.cgi, the page is at /.

Dialect switches: how the service behaves where the interface does not say. You can also change them while the sandbox
runs, under /control/dialect. An asterisk marks the default.

${Object.entries(switches).map(describe).join('\n\n')}

Faults: set them under /control/faults, for all calls, for one action or for the next N calls:

${Object.entries(faultKinds)
  .map(([kind, [meaning]]) => `  ${kind.padEnd(9)} ${meaning}`)
  .join('\n')}

For the keys of faults, users, clock, statistics and the log of calls, see docs/dev/sandbox.md, "Control".
`;
}

function describe([name, found]: [string, (typeof switches)[keyof typeof switches]]): string {
  const lines = [`  ${name}: ${found.about}`];
  if (found.kind === 'choice') {
    for (const [value, meaning] of Object.entries(found.values)) {
      lines.push(`    ${value === found.fallback ? '*' : ' '} ${value.padEnd(12)} ${meaning}`);
    }
  } else {
    lines.push(`      default: ${found.fallback}`);
  }
  return lines.join('\n');
}
