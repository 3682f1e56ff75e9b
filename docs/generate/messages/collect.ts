import { relative } from 'node:path';

import * as ts from 'typescript';

import { findCallSites } from './callSites';
import { errorOf, madeErrorOf, type Shown } from './shownErrors';
import type { Message } from './message';
import { ROOT, walk, type Sources } from './sources';
import { HOLE, Texts } from './texts';

/** The messages of the sources. */
export interface Collection {
  /** Each text once, in the order of the source files. */
  readonly messages: readonly Message[];
  /** Files whose messages are only passed on from elsewhere. */
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
  const all = [...found.values()].map(comparable);
  const messages = all.filter((each) => !all.some((other) => isSpecialCase(each, other)));
  return { messages: messages.map(({ message }) => message), passedOn: [...passedOn] };
}

function shownBy(node: ts.Node, checker: ts.TypeChecker): Shown | undefined {
  if (ts.isNewExpression(node)) return errorOf(node, checker);
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'emptyFieldsNotice')
    return { kind: 'notice', texts: (texts) => texts.of(node.initializer) };
  if (!ts.isCallExpression(node)) return undefined;
  const made = madeErrorOf(node, checker);
  if (made !== undefined) return made;
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

/** The new text of a reworded error. For the failure of a call, it keeps the kind of the failure. */
function rewordedBy(node: ts.CallExpression, checker: ts.TypeChecker): Shown {
  const isFailure = checker.getTypeAtLocation(node).getProperty('kind') !== undefined;
  return {
    kind: 'error',
    texts: (texts) => texts.of(node.arguments[0]),
    failures: () => (isFailure ? [HOLE] : []),
  };
}

/** A message with what it is compared by. Each is compared with all others. */
interface Comparable {
  readonly message: Message;
  /** Its text without the holes. */
  readonly words: string;
  /** Matches its text with anything in the holes. */
  readonly pattern: RegExp;
}

function comparable(message: Message): Comparable {
  const pieces = message.text.split(HOLE);
  const literal = pieces.map((each) => each.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return { message, words: pieces.join(''), pattern: new RegExp(`^${literal.join('.*')}$`, 's') };
}

/** Whether a text is another one with something, or nothing, inserted, e.g. a default. */
function isSpecialCase({ message, words }: Comparable, general: Comparable): boolean {
  if (message === general.message) return false;
  if (words === general.words) return message.text.length < general.message.text.length;
  return message.file === general.message.file && general.pattern.test(message.text);
}
