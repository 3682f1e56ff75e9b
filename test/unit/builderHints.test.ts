import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';

const NODES: readonly INodeType[] = [
  new ApplicationDataService(),
  new ApplicationDataServiceTrigger(),
  new ApplicationDataServiceWebhookTrigger(),
];
const PACKAGE = 'n8n-nodes-application-data-service';

test.each(NODES)('$description.displayName tells the workflow builder what it is for', ({ description }) => {
  const { searchHint, relatedNodes = [] } = description.builderHint ?? {};
  expect(searchHint).toMatch(/\w/);
  expect(JSON.stringify(description.properties)).not.toContain('"builderHint":{}');
  const names = NODES.map((node) => `${PACKAGE}.${node.description.name}`);
  expect(relatedNodes.map(({ nodeType }) => nodeType).filter((name) => !names.includes(name))).toEqual([]);
  expect(relatedNodes.length).toBeGreaterThan(0);
});

test('no hint contains an expression, and every parameter that a builder cannot guess has one', () => {
  const properties = NODES.flatMap(({ description }) => description.properties);
  const hints = properties.flatMap(({ builderHint }: INodeProperties) => builderHint?.propertyHint ?? []);
  expect(hints.filter((hint) => hint.includes('={{'))).toEqual([]);
  for (const name of ['application', 'parts', 'row', 'filters']) {
    const without = properties.filter((each) => each.name === name && each.builderHint === undefined);
    expect([name, without.length]).toEqual([name, 0]);
  }
});

test.each(NODES)('$description.displayName is found by the names of the product', ({ description }) => {
  const file = `../../nodes/ApplicationDataService/${description.displayName.replaceAll(' ', '')}.node.json`;
  const { alias } = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as { alias: string[] };
  expect(alias).toEqual(expect.arrayContaining(['アプリスイート', 'AppSuite', "desknet's"]));
});
