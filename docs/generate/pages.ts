import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { ApplicationDataServiceApi } from '../../credentials/ApplicationDataServiceApi.credentials';
import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';
import type { Operation } from '../../nodes/ApplicationDataService/operations/run/types';
import { anchor, code, formatPage, table } from './markdown';
import type { Output } from './output';
import { OUTPUTS } from './outputs';
import { PARAMETER_HEADINGS, parameterEntries } from './parameters';
import { Shared, type Entry } from './sharing';
import { TRIGGER_OUTPUT, WEBHOOK_OUTPUT } from './triggerOutputs';

/** The folder of the pages. */
export const REFERENCE = 'docs/reference';
const NOTE = '<!-- Generated from the sources by `npm run docs`: change those. -->';

/** Every page of the reference, by its path in the repository. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const resources = [...new Set(OPERATIONS.map(({ resource }) => resource))];
  const pages: [string, string][] = [
    ['README', `${indexPage(resources)}\n\n${credentialSection()}`],
    ...resources.map((resource): [string, string] => [fileOf(resource), resourcePage(resource)]),
    ['trigger', triggersPage()],
  ];
  return new Map(
    await Promise.all(
      pages.map(async ([name, page]) => {
        const back = name === 'README' ? '[All pages](../README.md)' : '[All of the reference](README.md)';
        return [`${REFERENCE}/${name}.md`, await formatPage(`${NOTE}\n\n${page}\n\n${back}\n`)] as const;
      }),
    ),
  );
}

/** `tableRow` as `table-row`. */
function fileOf(resource: string): string {
  return resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name of a resource in the node's first dropdown. */
function nameOf(resource: string): string {
  const [dropdown] = new ApplicationDataService().description.properties;
  const found = dropdown?.options?.find((option) => 'value' in option && option.value === resource);
  if (found === undefined) throw new Error(`There is no resource ${resource}`);
  return found.name;
}

const operationsOf = (resource: string): readonly Operation[] =>
  OPERATIONS.filter((operation) => operation.resource === resource);

function indexPage(resources: readonly string[]): string {
  const rows = resources.flatMap((resource) =>
    operationsOf(resource).map(({ name, value, action, description }) => [
      nameOf(resource),
      `[${name}](${fileOf(resource)}.md#${anchor(name)})`,
      code(`${resource}.${value}`),
      action,
      description,
    ]),
  );
  return `# Reference

Every operation, parameter and output, generated from the sources and kept current by the tests. The
[pages for each task](../README.md) explain how to use them. [parameters.md](../dev/parameters.md) shows what a saved workflow looks like.

An option that you do not add has its default. Two options of the trigger differ: without **Max Records per Poll**, another
[limit](../trigger.md#options) applies; without **Previous Values**, none are kept. A switch does something as soon as you add it: without
**Dry Run**, records are written; once added, it is on.

See also: the [triggers](trigger.md), and [below](#the-credential) the credential.

${table(['Resource', 'Operation', 'Saved as', 'In the list of actions', 'What it does'], rows)}
`;
}

function resourcePage(resource: string): string {
  const operations = operationsOf(resource);
  const { parameters, keys } = sharedBy(resource);
  const common = [parameters, keys].filter(({ rows }) => rows.length > 0);
  const titles = [...operations.map(({ name }) => name), ...common.map(({ section }) => section)];
  return [
    `# ${nameOf(resource)}`,
    titles.map((title) => `[${title}](#${anchor(title)})`).join(' · '),
    ...operations.map((operation) => operationSection(operation, parameters, keys)),
    ...common.map(({ section, headings, rows }) => `## ${section}\n\n${table(headings, rows)}`),
    ERRORS,
  ].join('\n\n');
}

/** What the operations of a resource have in common. The page of records tells it for the others, too. */
function sharedBy(resource: string): { parameters: Shared; keys: Shared } {
  const above = resource === FIRST ? undefined : sharedBy(FIRST);
  const page = `${FIRST}.md`;
  const operations = operationsOf(resource);
  const parameters = new Shared(
    PARAMETER_HEADINGS,
    'Parameters of several operations',
    operations.map((operation) => parameterEntries(propertiesOf(operation))),
    above && { page, shared: above.parameters },
  );
  const keys = new Shared(
    KEY_HEADINGS,
    'Keys of several outputs',
    operations.map((operation) => keyEntries(outputOf(operation))),
    above && { page, shared: above.keys },
  );
  return { parameters, keys };
}

/** The group of conditions, as parameters save it. */
const FILTERS = code('filters');

/** The resource whose page tells what all have in common. */
const FIRST = 'record';

const KEY_HEADINGS = ['Key', 'Type', 'Meaning', 'Present'];

const ERRORS = 'Messages and what to do: [errors.md](../errors.md).';

function operationSection(operation: Operation, parameters: Shared, keys: Shared): string {
  const { resource, value, name, action, description } = operation;
  return [
    `## ${name}`,
    `${description}. In the list of actions: **${action}**. Saved as \`"resource": "${resource}", "operation": "${value}"\`.`,
    parameters.list(
      parameterEntries(propertiesOf(operation)).map((entry) => parameters.likeShared(entry, FILTERS)),
    ),
    outputSection(outputOf(operation), keys),
  ].join('\n\n');
}

function outputOf({ resource, value }: Operation): Output {
  const output = OUTPUTS[`${resource}.${value}`];
  if (output === undefined) throw new Error(`The output of ${resource}.${value} is not described`);
  return output;
}

function keyEntries({ keys }: Output): Entry[] {
  return keys.map(({ key, type, meaning, only }) => [[code(key), type, meaning, only ?? 'always']]);
}

function outputSection(output: Output, keys: Shared): string {
  const { items, parts, binary } = output;
  const more = [parts && `${parts}.`, binary && `Files: ${binary}`].filter((text) => text !== undefined);
  return [`**Output.** ${items}`, keys.list(keyEntries(output)), ...more].join('\n\n');
}

/** Both triggers: what records have, too, is named, what both have is told once. */
function triggersPage(): string {
  const { description: polling } = new ApplicationDataServiceTrigger();
  const { description: webhook } = new ApplicationDataServiceWebhookTrigger();
  const above = sharedBy(FIRST);
  const page = `${FIRST}.md`;
  const parameters = new Shared(PARAMETER_HEADINGS, '', [], { page, shared: above.parameters });
  const keys = new Shared(
    KEY_HEADINGS,
    'Keys of both',
    [keyEntries(TRIGGER_OUTPUT), keyEntries(WEBHOOK_OUTPUT)],
    { page, shared: above.keys },
  );
  const sectionOf = (
    { displayName, description = '', properties }: INodeTypeDescription,
    more: string,
    output: Output,
  ) => [
    `## ${displayName}`,
    `${description}. ${more}`,
    parameters.list(parameterEntries(properties)),
    outputSection(output, keys),
  ];
  return [
    '# Triggers',
    [polling, webhook].map(({ displayName }) => `[${displayName}](#${anchor(displayName)})`).join(' · '),
    ...sectionOf(
      polling,
      "[trigger.md](../trigger.md) explains how it works. **Poll Times** are n8n's own.",
      TRIGGER_OUTPUT,
    ),
    ...sectionOf(
      webhook,
      '[webhook-trigger.md](../webhook-trigger.md) explains how to set it up.',
      WEBHOOK_OUTPUT,
    ),
    `## ${keys.section}\n\n${table(keys.headings, keys.rows)}`,
    ERRORS,
  ].join('\n\n');
}

function credentialSection(): string {
  const { displayName, name, properties } = new ApplicationDataServiceApi();
  return [
    '## The credential',
    `**${displayName}**, of all nodes, saved as \`${name}\`. [credential.md](../credential.md) explains how to fill it in.`,
    new Shared(PARAMETER_HEADINGS, '', []).list(
      parameterEntries(properties satisfies readonly INodeProperties[]),
    ),
  ].join('\n\n');
}
