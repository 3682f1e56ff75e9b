// Runs n8n's own scanner, as n8n's verification does, on the sources or on a published package:
// scan-package.mjs (sources|package FOLDER)... Prints one line of JSON for each:
// {"passed":...,"message":...,"details":...}. The scanner's command only accepts published packages, which it
// downloads. This script calls the same function with the same two lists of files on a folder.
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/** The files that the scanner checks in the repository, and in a published package. */
const PATTERNS = { sources: SOURCE_FILE_PATTERNS, package: ['**/*.js', 'package.json'] };

const given = process.argv.slice(2);
const scans = given.flatMap((kind, index) =>
  index % 2 === 0 ? [{ patterns: PATTERNS[kind], folder: given[index + 1] }] : [],
);
if (
  scans.length === 0 ||
  scans.some(({ patterns, folder }) => patterns === undefined || folder === undefined)
) {
  console.error('Usage: scan-package.mjs (sources|package FOLDER)...');
  process.exit(2);
}
for (const { patterns, folder } of scans) console.log(JSON.stringify(await analyzePackage(folder, patterns)));
