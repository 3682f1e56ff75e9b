import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import * as ts from 'typescript';

import { ROOT } from '../../docs/generate/root';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';
import { triggerProperties } from '../../nodes/ApplicationDataService/trigger/node/triggerProperties';
import { webhookProperties } from '../../nodes/ApplicationDataService/webhook/webhookProperties';
import { problems, UNKNOWN, type Saved } from './support/savedParameters';

/** Where workflows are written in code. n8n drops what a description does not know, in silence. */
const FOLDERS = ['test/e2e', 'demo', 'bench', 'test/soak'];

const OWN = 'n8n-nodes-application-data-service.applicationDataService';

const BY_OPERATION: ReadonlyMap<string, readonly INodeProperties[]> = new Map(
  OPERATIONS.map((operation) => [`${operation.resource}.${operation.value}`, propertiesOf(operation)]),
);

/** The parameters of a node that code saves, as far as it writes them out. */
interface SavedNode {
  readonly place: string;
  /** Of all operations that may be meant. */
  readonly candidates: readonly (readonly INodeProperties[])[];
  readonly saved: Saved;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|\..*)$/.test(entry.name) ? [] : sourcesIn(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

/** The value that code writes out; names stand for what the same file gives them. */
function valueOf(node: ts.Node | undefined, file: ts.SourceFile): unknown {
  if (node === undefined) return UNKNOWN;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return valueOf(node.expression, file);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => valueOf(element, file));
  if (ts.isIdentifier(node)) return valueOf(constantOf(node.text, file), file);
  if (!ts.isObjectLiteralExpression(node)) return UNKNOWN;
  const saved: Record<string, unknown> = {};
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = valueOf(property.expression, file);
      if (typeof spread === 'object') Object.assign(saved, spread);
    } else if (property.name !== undefined && !ts.isComputedPropertyName(property.name)) {
      const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
      saved[property.name.text] = valueOf(value, file);
    }
  }
  return saved;
}

function constantOf(name: string, file: ts.SourceFile): ts.Expression | undefined {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return declared.find((each) => ts.isIdentifier(each.name) && each.name.text === name)?.initializer;
}

const isSaved = (value: unknown): value is Saved =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The nodes that a file saves: written out whole, or passed to a function that builds them. */
function nodesIn(path: string): SavedNode[] {
  const file = ts.createSourceFile(
    path,
    readFileSync(join(ROOT, path), 'utf8'),
    ts.ScriptTarget.ES2022,
    true,
  );
  const found: SavedNode[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const add = (candidates: SavedNode['candidates'], saved: unknown): void => {
      if (isSaved(saved) && candidates.length > 0)
        found.push({ place: `${path}:${line + 1}`, candidates, saved });
    };
    if (ts.isObjectLiteralExpression(node)) {
      const { type, parameters } = valueOf(node, file) as Saved;
      if (typeof type === 'string' && type.startsWith(OWN)) add(ofType(type, parameters), parameters);
    }
    if (ts.isCallExpression(node)) {
      const values = node.arguments.map((each) => valueOf(each, file));
      const callee = node.expression.getText();
      const last = values.at(-1);
      if (callee === 'triggerWorkflow' && isSaved(last))
        add([triggerProperties], { options: last.options ?? {} });
      else if (callee !== 'test') values.forEach((value, at) => add(ofOperation(value), values[at + 1]));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function ofType(type: string, parameters: unknown): SavedNode['candidates'] {
  if (type === `${OWN}Trigger`) return [triggerProperties];
  if (type === `${OWN}WebhookTrigger`) return [webhookProperties];
  const { resource = 'record', operation } = isSaved(parameters) ? parameters : {};
  return ofOperation([resource, operation]);
}

/** Those of `['record', 'create', …]`, or of `'create'`. */
function ofOperation(named: unknown): SavedNode['candidates'] {
  const [resource, operation] = Array.isArray(named) ? (named as unknown[]) : ['', named];
  if (typeof resource !== 'string' || typeof operation !== 'string') return [];
  return [...BY_OPERATION].flatMap(([name, properties]) =>
    `.${name}`.endsWith(`${resource}.${operation}`) ? [properties] : [],
  );
}

/** What n8n or the builder of the node adds. */
const ALSO = ['resource', 'operation', 'application', 'pollTimes', 'descriptionType', 'toolDescription'];

const nodes = FOLDERS.flatMap(sourcesIn).flatMap(nodesIn);

test('the stories save nodes of every kind', () => {
  expect(nodes.length).toBeGreaterThan(20);
});

test('code saves no parameter, option or choice that the descriptions do not know', () => {
  const unknown = nodes.flatMap(({ place, candidates, saved }) => {
    const own = Object.fromEntries(Object.entries(saved).filter(([name]) => !ALSO.includes(name)));
    const found = candidates.map((properties) => problems(own, properties));
    return found.some((each) => each.length === 0) ? [] : [[place, ...(found[0] ?? [])]];
  });
  expect(unknown).toEqual([]);
});
