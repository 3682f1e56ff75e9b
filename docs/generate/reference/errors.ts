import * as ts from 'typescript';

import {
  ServiceError,
  wasNotDone,
  type FailureKind,
} from '../../../nodes/ApplicationDataService/service/http/errors';
import { pollFailureOf } from '../../../nodes/ApplicationDataService/trigger/node/runPoll';
import { code, prose, table } from './markdown';
import type { Collection } from '../messages/collect';
import type { Message } from '../messages/message';
import type { Sources } from '../messages/sources';

/** The kinds of errors: what each means, how the nodes handle it, and its messages. */
export function errorsPage(sources: Sources, collection: Collection): string {
  const messages = collection.messages.filter(({ kind }) => kind === 'error');
  const kinds = failureKinds(sources);
  return `# Kinds of errors

## What was entered or mapped

These errors occur before anything is sent for the item: a value does not fit, a part does not exist, a setting is missing.
[errors.md](../errors.md) lists each message with its cause and solution.

## Calls to the service

The kind of a failure decides what the nodes do next, see [guarantees.md](../guarantees.md). "Not done" shows whether a write that
failed in this way was certainly not done. If it is not certain, the node looks up the result, or the item ends as outcome unknown. The
last column is what the trigger reports to n8n's polling engine, in versions of n8n that use it. An HTTP status says more than the kind:
requests answered with 404, 405, 410 or 429 were certainly not done; a poll that ends with 429 is \`rate-limited\`, one that ends
with 500 or more is \`temporarily-unavailable\`, unless the service itself refused.

${table(
  ['Kind', 'Meaning', 'Not done', "Trigger's cause"],
  kinds.map(({ name, meaning }) => [
    code(name),
    meaning,
    wasNotDone(failure(name)) ? 'yes' : '',
    code(pollFailureOf(failure(name)).cause),
  ]),
)}

## Messages of each kind

\`…\` is a placeholder. The causes and solutions are in [errors.md](../errors.md).

${kinds
  .map(({ name }) =>
    messageList(
      code(name),
      messages.filter(({ failures }) => failures.includes(name)),
    ),
  )
  .join('\n\n')}

${messageList(
  'The kind of the failure that they report',
  messages.filter(
    ({ failures }) => failures.length > 0 && !kinds.some(({ name }) => failures.includes(name)),
  ),
)}
`;
}

function failure(kind: FailureKind): ServiceError {
  return new ServiceError(kind, '', '');
}

function messageList(title: string, messages: readonly Message[]): string {
  if (messages.length === 0) return '';
  return `**${title}**\n\n${messages.map(({ text }) => `- ${prose(text)}`).join('\n')}`;
}

interface Kind {
  readonly name: FailureKind;
  /** Its comment in the sources. */
  readonly meaning: string;
}

/** The members of `FailureKind`, in their order, with their comments. */
function failureKinds({ files }: Sources): Kind[] {
  const file = files.find(({ fileName }) => fileName.endsWith('/service/http/errors.ts'));
  const alias = file?.statements
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === 'FailureKind');
  if (file === undefined || alias === undefined || !ts.isUnionTypeNode(alias.type))
    throw new Error('There is no FailureKind');
  const { types } = alias.type;
  return types.map((type, index) => {
    const before = file.text.slice(types[index - 1]?.end ?? alias.name.end, type.getStart());
    const meaning = /\/\*\*(.+?)\*\//s.exec(before)?.[1]?.trim();
    if (meaning === undefined) throw new Error(`${type.getText()} has no comment`);
    return { name: type.getText().slice(1, -1) as FailureKind, meaning: prose(meaning) };
  });
}
