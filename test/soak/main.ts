import './quiet';

import { violationsOf } from './audit/audit';
import { readOptions, type SoakOptions } from './options';
import { save, table } from './report';
import { soak } from './soak';

async function main(options: SoakOptions): Promise<void> {
  console.log(`Seed ${options.seed}`);
  const report = await soak(options, (text) => console.log(text));
  console.log(`\n${table(report)}`);
  console.log(`Saved in ${save(report)}`);
  if (violationsOf(report.audit).length > 0) process.exitCode = 1;
}

function start(): void {
  let options: SoakOptions | null;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\nSee: npm run soak -- --help`);
    process.exitCode = 1;
    return;
  }
  if (options === null) return;
  main(options).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

start();
