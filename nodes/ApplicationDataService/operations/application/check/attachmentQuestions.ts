import { isObject } from '../../../parts/values/shapes';
import { readItems, readText } from '../../../parts/values/wire';
import { settle } from '../../../util/concurrently';
import type { Inquiry } from './inquiry';
import { endsCheck, type Finding, handled, inWords, ok, problem, unknown } from './finding';
import { type Question, questionsOn } from './question';

type RawFile = Readonly<Record<string, unknown>>;

/** An attachment of the sample that has an address; `null` if there is none. */
async function anyFile(inquiry: Inquiry): Promise<RawFile | null> {
  for (const { val } of await inquiry.values('files')) {
    const files = readItems(isObject(val) && 'attach' in val ? val.attach : val).filter(isObject);
    const file = files.find(({ url }) => readText(url) !== '');
    if (file !== undefined) return file;
  }
  return null;
}

const NO_FILE = unknown('No attachment was seen', 'Run the check in an application that holds one.');

async function address(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  if (file === null) return NO_FILE;
  const url = readText(file.url);
  if (!URL.canParse(url))
    return handled('Relative to the data module', 'The nodes request it next to the data module.');
  const sameHost = new URL(url).host === new URL(inquiry.client.address).host;
  return sameHost
    ? ok('Absolute, on the host of the base URL', 'The nodes request it next to the data module.')
    : handled(
        'Absolute, on another host than the base URL',
        'The nodes ask the host of the base URL: the key goes nowhere else.',
      );
}

async function addressId(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  if (file === null) return NO_FILE;
  const query = /[?&]id=([^&]*)/.exec(readText(file.url))?.[1];
  return query === readText(file.id)
    ? ok('Yes', 'Nothing to do.')
    : handled('No', 'The nodes use each where it belongs: one to download, the other to remove.');
}

async function download(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  if (file === null) return NO_FILE;
  const asked = await settle(
    async () =>
      await inquiry.client.download(
        readText(file.url),
        async ({ status, headers }) => await Promise.resolve({ status, type: headers['content-type'] ?? '' }),
      ),
  );
  if ('error' in asked) {
    if (endsCheck(asked.error)) throw asked.error;
    return problem(`No: ${inWords(asked.error)}`, 'Attachments cannot be downloaded. Please report this.');
  }
  const { status, type } = asked.value;
  if (status !== 200)
    return problem(`No: HTTP ${status}`, 'Attachments cannot be downloaded. Please report this.');
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const stored = readText(file.mimetype).toLowerCase();
  if (bare === '') return handled('Yes, without a content type', "The nodes take the attachment's own.");
  if (bare === stored) return ok("Yes, with the file's own content type", 'Nothing to do.');
  return bare === 'application/octet-stream'
    ? handled('Yes, with a content type that fits any file', "The nodes take the attachment's own.")
    : handled('Yes, with another content type', 'The nodes take the one that comes.');
}

const onAttachments = questionsOn('Attachments', 'application');

export const attachmentQuestions: readonly Question[] = [
  onAttachments('Which address does an attachment carry?', address),
  onAttachments("Is an attachment's ID also the one in its address?", addressId),
  onAttachments('Can an attachment be downloaded?', download),
];
