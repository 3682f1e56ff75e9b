import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { anchor } from '../../docs/generate/markdown';
import { ROOT } from '../../docs/generate/root';

/** What somebody asks who has not read the pages, where the answer stands, and words of it. */
const QUESTIONS: readonly (readonly [question: string, place: string, words: RegExp])[] = [
  ["Where does desknet's NEO issue keys?", 'docs/credential.md#desknets-neo-appsuite', /access key settings/],
  ['How do I get the records of last month?', 'docs/filters.md#records-of-last-month', /minus\(\{ months: 1/],
  ["How do I put a person's name into a mail?", 'docs/values.md#values-in-a-mail', /\[0\]\.name/],
  ['How does an Excel list become records?', 'docs/examples/price-list.md', /CSV or Excel|price-list\.xlsx/],
  ['How do I get a mail for each new record?', 'docs/trigger.md#set-it-up', /Record Created|Trigger On/],
  ['Why did my node run for each item?', 'docs/records.md#once-for-each-item', /Execute Once/],
  ['How do I attach a PDF?', 'docs/attachments.md#upload', /Input Binary Field/],
  ['How do I empty a field?', 'docs/update-records.md', /To \*\*empty a part\*\*/],
  ['Can I try it without our data?', 'README.md#try-it', /npm start/],
  ['How do I add a line to an order?', 'docs/table-rows.md#single-rows', /\*\*Add\*\* adds a row/],
  ['How do I install it?', 'docs/administration.md#install', /npm run package/],
  ['How do I update it?', 'docs/administration.md#update-and-remove', /Read the \[changelog\]/],
  ['What does n8n keep?', 'docs/production.md#what-n8n-keeps-of-records-files-and-keys', /Access key/],
  ['How often may I poll?', 'docs/performance.md#how-often-to-poll', /every minute/],
  ['How do I replace the key?', 'docs/administration.md#keys-and-credentials', /To replace a key/],
  ['From test to production?', 'docs/production.md#from-test-to-production', /By Identifier/],
  ['What happens after a crash?', 'docs/guarantees.md#after-a-crash', /n8n was down/],
  ['Which versions of n8n?', 'docs/compatibility.md', /before 1\.85/],
  ['What is "outcome unknown"?', 'docs/errors.md#outcome-unknown', /Look in the application/],
  ['How do I call what no operation covers?', 'docs/records.md#what-no-operation-covers', /HTTP Request/],
  ['Can an MCP client use it?', 'docs/ai-agents.md#for-an-mcp-client', /MCP Server Trigger/],
  ['What does Create or Update return?', 'docs/upsert-records.md', /"outcome": "created"/],
  ['How fast is it?', 'docs/performance.md#in-short', /one request for 5,000/],
  ['How do I develop with a live reload?', 'CONTRIBUTING.md#all-commands', /N8N_DEV_RELOAD/],
  ['Can events be lost or come twice?', 'docs/guarantees.md#the-trigger', /once, also across/],
  ['How do I test against failures?', 'docs/demo.md#test-against-failures', /control\/faults/],
];

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The pages and places to which a page links. */
function linksOf(page: string): string[] {
  const targets = [...textOf(page).matchAll(/\]\(([\w./-]+\.md)(#[\w-]+)?\)/g)];
  return targets.map(([, path = '', place = '']) => join(dirname(page), path) + place);
}

/** The text below a heading, up to the next one of its rank. */
function sectionOf(page: string, place: string | undefined): string {
  const text = textOf(page);
  if (place === undefined) return text;
  const sections = text.split(/^(?=#{2,3} )/m);
  return sections.find((section) => anchor(/^#+ (.*)/.exec(section)?.[1] ?? '') === place) ?? '';
}

/** How many links and headings lead from README to a place. */
function stepsTo(place: string): number {
  const [page = '', heading] = place.split('#');
  const first = linksOf('README.md');
  if (page === 'README.md') return 1;
  if (first.includes(place)) return 1;
  const inPage = heading === undefined ? 0 : 1;
  if (first.some((link) => link.split('#')[0] === page)) return 1 + inPage;
  return first.some((link) => linksOf(link.split('#')[0]!).includes(page)) ? 2 + inPage : Infinity;
}

test.each(QUESTIONS)('%s At most two steps lead to the answer', (_, place, words) => {
  expect(stepsTo(place)).toBeLessThanOrEqual(2);
  expect(sectionOf(...(place.split('#') as [string, string?]))).toMatch(words);
});
