import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/root';

const FOLDER = join(ROOT, '.github/ISSUE_TEMPLATE');
const files = readdirSync(FOLDER);
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

test('the pages that ask for a report name a template that exists', () => {
  for (const page of ['docs/check.md']) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const named = [...text.matchAll(/issues\/new\?template=([\w.-]+)/g)].map(([, file]) => file);
    expect([page, named.length > 0]).toEqual([page, true]);
    expect(named.filter((file) => !files.includes(file!))).toEqual([]);
  }
  for (const page of ['README.md', 'docs/credential.md']) {
    expect(readFileSync(join(ROOT, page), 'utf8')).toMatch(/\]\((docs\/)?check\.md\)/);
  }
});

test('every template asks for the report of the check, or is for an idea', () => {
  expect(files.sort()).toEqual(['bug.yml', 'check-report.yml', 'config.yml', 'idea.yml']);
  for (const file of ['bug.yml', 'check-report.yml']) expect(textOf(file)).toMatch(/report\.md/);
});

test.each(['bug.yml', 'check-report.yml', 'idea.yml'])('%s has the fields that GitHub requires', (file) => {
  const text = textOf(file);
  for (const key of ['name', 'description', 'body']) expect(text).toMatch(new RegExp(`^${key}:`, 'm'));
  const ids = [...text.matchAll(/^ {4}id: (.+)$/gm)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const inputs = [...text.matchAll(/^ {2}- type: (\w+)$/gm)].map(([, type]) => type);
  expect(inputs.filter((type) => type !== 'markdown')).toHaveLength(ids.length);
  expect(inputs.filter((type) => !/^(markdown|input|textarea|dropdown)$/.test(type!))).toEqual([]);
  expect((text.match(/^ {6}label: /gm) ?? []).length).toBe(ids.length);
});

test('links in the templates lead to pages that exist', () => {
  const links = files.flatMap((file) =>
    [...textOf(file).matchAll(/\/blob\/main\/([\w./-]+)/g)].map(([, page]) => page!),
  );
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect(readFileSync(join(ROOT, link), 'utf8')).not.toBe('');
});
