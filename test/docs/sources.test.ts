import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { collectMessages } from '../../docs/generate/messages/collect';
import type { Message } from '../../docs/generate/messages/message';
import { readSources, ROOT } from '../../docs/generate/messages/sources';
import { OUTPUTS } from '../../docs/generate/reference/outputs';
import { REFERENCE, referencePages } from '../../docs/generate/reference/pages';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';
import { messageEntries } from './support/messages';

/** The page that explains messages. */
const page = readFileSync(resolve(ROOT, 'docs/errors.md'), 'utf8');
const entries = messageEntries(page);
/** What to do if a page of the reference differs from what the sources generate. */
const HINT = 'Run "npm run docs" and commit the pages.';

let messages: readonly Message[] = [];
let passedOn: readonly string[] = [];
let pages: ReadonlyMap<string, string>;

// Reading the sources with their types takes most of the time, so it is done once for messages and reference.
beforeAll(async () => {
  const sources = readSources();
  const collection = collectMessages(sources);
  ({ messages, passedOn } = collection);
  pages = await referencePages(sources, collection);
}, 120_000);

test('the messages are found', () => {
  expect(messages).toContainEqual({
    kind: 'error',
    text: 'The service is busy (HTTP …)',
    failures: ['busy'],
    file: 'nodes/ApplicationDataService/service/http/answer.ts',
  });
  expect(messages.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'The table part is empty',
      'Part "…" (ID …) does not accept …: it names day … of a month that has … days',
      'The settings of what to watch have changed. The trigger learns the records again; changes since the last poll are not reported',
    ]),
  );
  expect(new Set(messages.map(({ kind }) => kind))).toEqual(new Set(['error', 'hint', 'notice', 'warning']));
});

test('a message that the sources do not contain is passed on from another error', () => {
  expect(passedOn).toEqual(
    [
      'common/errors',
      'operations/run/memory',
      'operations/run/runOperation',
      'parts/model/errors',
      'parts/types/members',
      'service/http/errors',
      'service/read/refusalWords',
      'service/write/conflict',
      'service/write/fileSteps',
      'service/write/insert',
      'service/write/settle',
      'trigger/node/runPoll',
      'util/userError',
      'webhook/receive',
    ].map((name) => `nodes/ApplicationDataService/${name}.ts`),
  );
});

test('every message of the nodes is explained', () => {
  const explained = new Set(entries.map(({ text }) => text));
  expect(messages.filter(({ text }) => !explained.has(text))).toEqual([]);
});

test('every explained message is one of the nodes', () => {
  const texts = new Set(messages.map(({ text }) => text));
  expect(entries.filter(({ text }) => !texts.has(text))).toEqual([]);
});

test('each message is explained once', () => {
  const texts = entries.map(({ text }) => text);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('each line of messages has an anchor of its own', () => {
  const anchors = [...new Map(entries.map(({ line, anchor }) => [line, anchor])).values()];
  expect(anchors.length).toBeGreaterThan(200);
  expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
});

test('the pages of the reference stay short enough to be read', () => {
  const size = (text: string): number => Buffer.byteLength(text);
  expect(size(pages.get(`${REFERENCE}/record.md`)!)).toBeLessThanOrEqual(60_000);
  expect(size(pages.get(`${REFERENCE}/trigger.md`)!)).toBeLessThanOrEqual(20_000);
});

test('the reference has a page for each resource, the trigger, the credential and the errors', () => {
  const files = readdirSync(resolve(ROOT, REFERENCE)).map((name) => `${REFERENCE}/${name}`);
  expect([HINT, ...files.sort()]).toEqual([HINT, ...[...pages.keys()].sort()]);
});

test('no page of the reference tells a parameter or a key twice', () => {
  for (const [path, text] of pages) {
    const rows = text
      .split('\n')
      .filter((line) => /^\| .*[^-| ]/.test(line) && !/^\| (Parameter|Key) +\|/.test(line));
    const told = rows.map((row) => row.replace(/<a id="[^"]+"><\/a>/, '').replaceAll(/ +/g, ' '));
    expect([path, told.filter((row, index) => told.indexOf(row) !== index)]).toEqual([path, []]);
  }
});

test('every operation tells or links to each of its parameters and keys', () => {
  const text = (resource: string): string =>
    pages.get(`${REFERENCE}/${resource.replace('R', '-r')}.md`)!.replaceAll(/ +/g, ' ');
  for (const operation of OPERATIONS) {
    const { resource, value, name } = operation;
    const [, after = ''] = text(resource).split(`\n## ${name}\n`);
    const section = after.split('\n## ')[0]!;
    const parameters = propertiesOf(operation).flatMap(({ displayName, type, options = [] }) =>
      type === 'collection'
        ? options.map((option) => `${displayName} › ${(option as INodeProperties).displayName}`)
        : type === 'notice'
          ? []
          : [displayName],
    );
    const keys = OUTPUTS[`${resource}.${value}`]!.keys.map(({ key }) => `\`${key}\``);
    const lacking = [...parameters, ...keys].filter(
      (each) => !section.includes(`[${each}](#`) && !section.includes(`\n| ${each} |`),
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
