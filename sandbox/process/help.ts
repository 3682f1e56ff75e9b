import { faultKinds } from '../settings/faults.ts';
import { switches } from '../settings/switches.ts';

/** What `npm run sandbox -- --help` prints. */
export function help(): string {
  return `A local Application Data Service to try workflows against, with sample applications.

Usage: npm run sandbox -- [options]

  --port NUMBER       port of the service; 0 takes a free one (default 8787)
  --host ADDRESS      address to listen on (default 127.0.0.1)
  --data FILE         keep data in this file (default: in memory, nothing is kept)
  --records NUMBER    also make an application "large" of this many records, the same ones every time
  --key KEY           access key of the first user (default sandbox-access-key)
  --dialect NAME=VALUE  set a dialect switch; may be repeated
  --json              print one line of JSON when ready: baseUrl, accessKey, controlUrl
  --exit-with-parent  end when standard input closes
  --help              this text

The data module is <baseUrl>/appsr.cgi, downloads are <baseUrl>/appsuite.cgi, the page is at /.

Dialect switches: what the interface leaves open. They can also be changed while the sandbox runs, on the page or
under /control/dialect.

${Object.entries(switches).map(describe).join('\n\n')}

Faults, set on the page or under /control/faults, for all calls, one action or the next N calls:

${Object.entries(faultKinds)
  .map(([kind, meaning]) => `  ${kind.padEnd(9)} ${meaning}`)
  .join('\n')}

The keys of faults, users, clock, statistics and the log of calls: docs/sandbox.md, "Control".
`;
}

function describe([name, found]: [string, (typeof switches)[keyof typeof switches]]): string {
  const lines = [`  ${name}: ${found.about}`];
  if (found.kind === 'choice') {
    for (const [value, meaning] of Object.entries(found.values)) {
      lines.push(`    ${value === found.fallback ? '*' : ' '} ${value.padEnd(12)} ${meaning}`);
    }
  } else {
    const fallback = found.kind === 'types' ? 'none' : String(found.fallback);
    lines.push(`      default: ${fallback}`);
  }
  return lines.join('\n');
}
