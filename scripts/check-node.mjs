/** The first version of Node.js that can run TypeScript files directly and has node:sqlite. */
const MINIMUM_MAJOR = 24;

const major = Number(process.versions.node.split('.')[0]);

if (major < MINIMUM_MAJOR) {
  console.error(
    `This project needs Node.js ${MINIMUM_MAJOR} or newer; this is ${process.versions.node}.\n` +
      'On Linux and macOS (x64, arm64) and Windows (x64) "npm ci" installs it, and every npm script then uses it: ' +
      'run "npm ci" first, and start programs with "npm run ...".\n' +
      `Elsewhere install Node.js ${MINIMUM_MAJOR} from https://nodejs.org or with your version manager.`,
  );
  process.exit(1);
}
