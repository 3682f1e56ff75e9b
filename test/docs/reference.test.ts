import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { ROOT } from '../../docs/generate/root';
import { OUTPUTS } from '../../docs/generate/outputs';
import { REFERENCE, referencePages } from '../../docs/generate/pages';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';

/** What to do if a page of the reference differs from what the sources generate. */
const HINT = 'Run "npm run docs" and commit the pages.';

const escaped = (text: string): string => text.replaceAll(/[()/]/g, '\\$&');

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await referencePages();
});

test('the pages of the reference stay short enough to be read', () => {
  const size = (text: string): number => Buffer.byteLength(text);
  expect(size(pages.get(`${REFERENCE}/record.md`)!)).toBeLessThanOrEqual(60_000);
  expect(size(pages.get(`${REFERENCE}/trigger.md`)!)).toBeLessThanOrEqual(20_000);
});

test('the reference has a page for each resource, the triggers and the credential', () => {
  const files = readdirSync(resolve(ROOT, REFERENCE)).map((name) => `${REFERENCE}/${name}`);
  expect([HINT, ...files.sort()]).toEqual([HINT, ...[...pages.keys()].sort()]);
});

test('no page of the reference tells a parameter or a key twice', () => {
  for (const [path, text] of pages) {
    const rows = text
      .split('\n')
      .filter((line) => /^\| .*[^-| ]/.test(line) && !/^\| (Parameter|Key) +\|/.test(line));
    const told = rows.map((row) => row.replaceAll(/ +/g, ' '));
    expect([path, told.filter((row, index) => told.indexOf(row) !== index)]).toEqual([path, []]);
  }
});

test('the fields of filters are told on one page, once', () => {
  const told = [...pages.values()].join('\n').match(/`filters\.condition\[\]\.operator`/g);
  expect(told).toHaveLength(1);
});

test('every operation tells or names each of its parameters and keys', () => {
  const text = (resource: string): string =>
    pages.get(`${REFERENCE}/${resource.replace('R', '-r')}.md`)!.replaceAll(/ +/g, ' ');
  for (const operation of OPERATIONS) {
    const { resource, value, name } = operation;
    const [, after = ''] = text(resource).split(`\n## ${name}\n`);
    const section = after.split('\n## ')[0]!;
    const isShown = ({ type }: INodeProperties): boolean => type !== 'notice';
    const shown = propertiesOf(operation).filter(isShown);
    const parameters = shown.flatMap(({ displayName, type, options = [] }) =>
      type === 'collection'
        ? (options as INodeProperties[]).map((option) => `${displayName} › ${option.displayName}`)
        : [displayName],
    );
    const keys = OUTPUTS[`${resource}.${value}`]!.keys.map(({ key }) => `\`${key}\``);
    const lacking = [...parameters, ...keys].filter(
      (each) => !new RegExp(`(: |· |\\n\\| )${escaped(each)}( ·| \\||\\n)`).test(section),
    );
    expect([resource, name, lacking]).toEqual([resource, name, []]);
  }
});

test('every page of the reference is current', () => {
  for (const [path, page] of pages) {
    const [written, current] = [readFileSync(resolve(ROOT, path), 'utf8'), page].map((text) => [
      `${HINT} ${path}`,
      ...text.split('\n'),
    ]);
    expect(written).toEqual(current);
  }
});
