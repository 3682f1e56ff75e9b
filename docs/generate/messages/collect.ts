import { relative } from 'node:path';

import * as ts from 'typescript';

import { findCallSites } from './callSites';
import { errorOf, type Shown } from './errors';
import type { Message } from './message';
import { ROOT, walk, type Sources } from './program';
import { HOLE, Texts } from './texts';

/** What the sources can show. */
export interface Collection {
  /** Each text once, in the order of the source files. */
  readonly messages: readonly Message[];
  /** Files with messages that are only passed on from elsewhere. */
  readonly passedOn: readonly string[];
}

/** Finds every text that the sources can show. */
export function collectMessages({ files, checker }: Sources): Collection {
  const texts = new Texts(checker, findCallSites(checker, files));
  const found = new Map<string, Message>();
  const passedOn = new Set<string>();
  for (const source of [...files].sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
    const file = relative(ROOT, source.fileName);
    walk(source, (node) => {
      const shown = shownBy(node, checker);
      if (shown === undefined) return;
      for (const text of shown.texts(texts)) {
        if (!/\p{L}/u.test(text)) passedOn.add(file);
        else if (!found.has(text))
          found.set(text, { kind: shown.kind, text, file, failures: shown.failures?.(texts) ?? [] });
      }
    });
  }
  const all = [...found.values()];
  const messages = all.filter((message) => !all.some((other) => isSpecialCase(message, other)));
  return { messages, passedOn: [...passedOn] };
}

function shownBy(node: ts.Node, checker: ts.TypeChecker): Shown | undefined {
  if (ts.isNewExpression(node)) return errorOf(node, checker);
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'emptyFieldsNotice')
    return { kind: 'notice', texts: (texts) => texts.of(node.initializer) };
  if (!ts.isCallExpression(node)) return undefined;
  const callee = node.expression.getText();
  const text = (texts: Texts): string[] => texts.of(node.arguments[0]);
  if (callee === 'warn' || callee.endsWith('logger.warn')) return { kind: 'warning', texts: text };
  if (callee.endsWith('.reworded')) return rewordedBy(node, checker);
  if (callee.endsWith('hints.tally'))
    return { kind: 'hint', texts: (texts) => texts.of(node.arguments[0]).map((each) => `${each}: ${HOLE}`) };
  return callee.endsWith('hints.add') || callee.endsWith('hints.once')
    ? { kind: 'hint', texts: text }
    : undefined;
}

/** An error that is given other words; of a call's failure, its kind is that of the failure it tells of. */
function rewordedBy(node: ts.CallExpression, checker: ts.TypeChecker): Shown {
  const isFailure = checker.getTypeAtLocation(node).getProperty('kind') !== undefined;
  return {
    kind: 'error',
    texts: (texts) => texts.of(node.arguments[0]),
    failures: () => (isFailure ? [HOLE] : []),
  };
}

/** Whether a text is another one with something inserted, e.g. a default, or nothing. */
function isSpecialCase(message: Message, general: Message): boolean {
  if (message === general) return false;
  if (words(message.text) === words(general.text)) return message.text.length < general.text.length;
  return message.file === general.file && patternOf(general.text).test(message.text);
}

function words(text: string): string {
  return text.replaceAll(HOLE, '');
}

function patternOf(text: string): RegExp {
  const literal = text.split(HOLE).map((each) => each.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}
