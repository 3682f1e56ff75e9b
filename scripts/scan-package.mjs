// n8n's own scanner, as its verification runs it: on the sources, or on what is published.
//   node scripts/scan-package.mjs sources|package FOLDER
// Prints one line of JSON, {"passed":...,"message":...,"details":...}. The scanner's command takes published packages
// only and fetches them; this calls the same function with the same two lists of files on a folder.
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/** What the scanner looks at in a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];

const [kind, folder] = process.argv.slice(2);
const patterns = { sources: SOURCE_FILE_PATTERNS, package: PACKAGE_FILE_PATTERNS }[kind];
if (patterns === undefined || folder === undefined) {
  console.error('Usage: node scripts/scan-package.mjs sources|package FOLDER');
  process.exit(2);
}
console.log(JSON.stringify(await analyzePackage(folder, patterns)));
