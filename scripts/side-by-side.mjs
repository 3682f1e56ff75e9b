// node scripts/side-by-side.mjs SCRIPT...: runs npm scripts at the same time. Their output is printed one script after
// the other, in the order given, and how long each took; the exit code is 1 where one of them fails, and all of them are
// run to their end.
import { spawn } from 'node:child_process';

/** Starts a script; `print` shows what it has written so far, and from then on what it writes. */
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
