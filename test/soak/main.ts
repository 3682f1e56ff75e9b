import './quiet';

import { parseArgs } from 'node:util';

import { violationsOf } from './audit/audit';
import { save, summary } from './report';
import { soak, type SoakOptions } from './soak';

const HELP = `npm run soak -- [options]

Runs writers and triggers against a sandbox that fails, drops connections and is killed at random, then checks everything
that was acknowledged. The exit code is 1 if the check finds a violation. The report is saved in test/soak/.results/.

  --minutes N   how long the faults last, 0.1 to 1440 (default 10)
  --seed TEXT   the same seed chooses the same faults and writes (default: random; it is printed)
  --help        this text
`;

/** Reads the command line; `null` if it only asks for help. */
function readOptions(args: string[]): SoakOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const minutes = Number(values.minutes);
  if (!(minutes >= 0.1 && minutes <= 1440)) throw new RangeError('--minutes takes a number from 0.1 to 1440');
  return { minutes, seed: values.seed };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) return console.log(HELP);
  console.log(`Seed ${options.seed}`);
  const report = await soak(options, (text) => console.log(text));
  console.log(`\n${summary(report)}\nSaved in ${save(report)}`);
  if (violationsOf(report.audit).length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  const isMisuse = error instanceof TypeError || error instanceof RangeError;
  console.error(isMisuse ? `${error.message}\nSee: npm run soak -- --help` : error);
  process.exitCode = 1;
});
