import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface SoakOptions {
  /** How long faults and writers continue; settling and the audit come after. */
  readonly minutes: number;
  readonly seed: string;
}

const HELP = `npm run soak -- [options]

Runs writers and triggers against a sandbox that fails, drops connections and is killed at random, then checks everything
that was acknowledged. The exit code is 1 if the check finds a violation. The report is saved in test/soak/.results/.

  --minutes N   how long the faults last, 0.1 to 1440 (default 10)
  --seed TEXT   the same seed chooses the same faults and writes (default: random; it is printed)
  --help        this text
`;

/** Reads the command line. Returns `null` if it only asks for help, which is printed. */
export function readOptions(args: readonly string[]): SoakOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  const minutes = Number(values.minutes);
  if (!(minutes >= 0.1 && minutes <= 1440)) throw new RangeError('--minutes takes a number from 0.1 to 1440');
  return { minutes, seed: values.seed ?? String(Math.floor(Math.random() * 1e6)) };
}
