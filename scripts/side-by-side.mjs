// node scripts/side-by-side.mjs SCRIPT...: runs npm scripts at the same time. Prints their output one script after the
// other, in the order of the arguments, with the time that each took. Runs all of them to the end. The exit code is 1
// if one of them fails.
import { spawn } from 'node:child_process';

/** Starts a script. The returned function prints its output, including the output so far. */
function start(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let show = null;
  const held = [];
  const begin = performance.now();
  const take = (piece) => (show === null ? held.push(piece) : show(piece));
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      take(`\n${script} took ${Math.round((performance.now() - begin) / 1000)} s\n`);
      resolve(code === 0 ? null : `exit code ${code ?? signal}`);
    });
  });
  return async () => {
    console.log(`\n> ${script}`);
    show = (piece) => process.stdout.write(piece);
    held.forEach(show);
    return await ended;
  };
}

const scripts = process.argv.slice(2);
const failures = [];
for (const [index, print] of scripts.map(start).entries()) {
  const failure = await print();
  if (failure !== null) failures.push(`${scripts[index]}: ${failure}`);
}
for (const failure of failures) console.error(`\nFailed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;
