import type { INodeProperties } from 'n8n-workflow';

import { ApplicationDataServiceApi } from '../../../credentials/ApplicationDataServiceApi.credentials';
import { ApplicationDataService } from '../../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';
import { OPERATIONS, propertiesOf } from '../../../nodes/ApplicationDataService/operations/registry';
import type { Operation } from '../../../nodes/ApplicationDataService/operations/run/types';
import { anchor, code, formatPage, table } from './markdown';
import { errorsPage } from './errors';
import { OUTPUTS, TRIGGER_OUTPUT, type Output } from './outputs';
import { WEBHOOK_OUTPUT } from './webhookOutput';
import { parameterTable } from './parameters';

/** Where the pages stand. */
export const REFERENCE = 'docs/reference';
const NOTE = '<!-- Generated from the sources by `npm run docs`: change those. -->';

/** Every page of the reference, by its path in the repository. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const resources = [...new Set(OPERATIONS.map(({ resource }) => resource))];
  const pages: [string, string][] = [
    ['README', indexPage(resources)],
    ...resources.map((resource): [string, string] => [fileOf(resource), resourcePage(resource)]),
    ['trigger', triggerPage()],
    ['webhook-trigger', webhookPage()],
    ['credential', credentialPage()],
    ['errors', errorsPage()],
  ];
  return new Map(
    await Promise.all(
      pages.map(
        async ([name, page]) => [`${REFERENCE}/${name}.md`, await formatPage(`${NOTE}\n\n${page}`)] as const,
      ),
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

Every operation, parameter and output, made from the sources and checked to be current by the tests. How to use them is told
in the [pages for each task](../README.md), what a saved workflow looks like in [parameters.md](../parameters.md).

An option that is not added means its default; only **Max Records per Poll** of the trigger then has another
[limit](../trigger.md#options).

Besides: the [trigger](trigger.md), the [webhook trigger](webhook-trigger.md), the [credential](credential.md), the [kinds of errors](errors.md).

${table(['Resource', 'Operation', 'Saved as', 'In the list of actions', 'What it does'], rows)}
`;
}

function resourcePage(resource: string): string {
  const operations = operationsOf(resource);
  const links = operations.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · ');
  return [`# ${nameOf(resource)}`, links, ...operations.map(operationSection), ERRORS].join('\n\n');
}

const ERRORS = `What can go wrong: [kinds of errors](errors.md), and each message with cause and cure in
[errors.md](../errors.md).`;

function operationSection(operation: Operation): string {
  const { resource, value, name, action, description } = operation;
  const output = OUTPUTS[`${resource}.${value}`];
  if (output === undefined) throw new Error(`It is not told what ${resource}.${value} gives out`);
  return [
    `## ${name}`,
    `${description}. In the list of actions: **${action}**. Saved as \`"resource": "${resource}", "operation": "${value}"\`.`,
    parameterTable(propertiesOf(operation)),
    outputSection(output),
  ].join('\n\n');
}

function outputSection({ items, keys, parts, binary }: Output): string {
  const rows = keys.map(({ key, type, meaning, only }) => [code(key), type, meaning, only ?? 'always']);
  const more = [parts && `${parts}.`, binary && `Files: ${binary}`].filter((text) => text !== undefined);
  return [`**Output.** ${items}`, table(['Key', 'Holds', 'Meaning', 'There'], rows), ...more].join('\n\n');
}

function triggerPage(): string {
  const { displayName, description = '', properties } = new ApplicationDataServiceTrigger().description;
  return [
    `# ${displayName}`,
    `${description}. How it works is told in [trigger.md](../trigger.md). **Poll Times** are n8n's own.`,
    parameterTable(properties),
    outputSection(TRIGGER_OUTPUT),
    ERRORS,
  ].join('\n\n');
}

function webhookPage(): string {
  const {
    displayName,
    description = '',
    properties,
  } = new ApplicationDataServiceWebhookTrigger().description;
  return [
    `# ${displayName}`,
    `${description}. How to set it up is told in [webhook-trigger.md](../webhook-trigger.md).`,
    parameterTable(properties),
    outputSection(WEBHOOK_OUTPUT),
    ERRORS,
  ].join('\n\n');
}

function credentialPage(): string {
  const { displayName, name, properties } = new ApplicationDataServiceApi();
  return [
    `# ${displayName}`,
    `The credential of all nodes, saved as \`${name}\`. How to fill it in is told in [credential.md](../credential.md).`,
    parameterTable(properties satisfies readonly INodeProperties[]),
  ].join('\n\n');
}
