import { isObject, readItems, readText } from '../../../parts/values/shapes';
import { settle } from '../../../util/concurrently';
import type { Inquiry } from './inquiry';
import { endsCheck, type Finding, handled, inWords, ok, problem, Unanswered, unknown } from './finding';
import { type Question, questionsOn } from './question';

type RawFile = Readonly<Record<string, unknown>>;

/** An attachment of the sample that has an address. @throws Unanswered if there is none. */
async function anyFile(inquiry: Inquiry): Promise<RawFile> {
  for (const { val } of await inquiry.values('files')) {
    const files = readItems(isObject(val) && 'attach' in val ? val.attach : val).filter(isObject);
    const file = files.find(({ url }) => readText(url) !== '');
    if (file !== undefined) return file;
  }
  throw new Unanswered(unknown('No attachment was seen', 'Run the check in an application that holds one.'));
}

async function address(inquiry: Inquiry): Promise<Finding> {
  const url = readText((await anyFile(inquiry)).url);
  const beside = 'The nodes request it next to the data module.';
  if (!URL.canParse(url)) return handled('Relative to the data module', beside);
  return new URL(url).host === new URL(inquiry.client.address).host
    ? ok('Absolute, on the host of the base URL', beside)
    : handled('Absolute, on another host than the base URL', `${beside} The key goes nowhere else.`);
}

async function addressId(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  return /[?&]id=([^&]*)/.exec(readText(file.url))?.[1] === readText(file.id)
    ? ok('Yes')
    : handled('No', 'The nodes use each where it belongs: one to download, the other to remove.');
}

async function download(inquiry: Inquiry): Promise<Finding> {
  const file = await anyFile(inquiry);
  const no = (words: string): Finding =>
    problem(`No: ${words}`, 'Attachments cannot be downloaded. Please report this.');
  const asked = await settle(
    async () =>
      await inquiry.client.download(
        readText(file.url),
        async ({ status, headers }) => await Promise.resolve({ status, type: headers['content-type'] ?? '' }),
      ),
  );
  if ('error' in asked) {
    if (endsCheck(asked.error)) throw asked.error;
    return no(inWords(asked.error));
  }
  const { status, type } = asked.value;
  if (status !== 200) return no(`HTTP ${status}`);
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const own = "The nodes take the attachment's own.";
  if (bare === '') return handled('Yes, without a content type', own);
  if (bare === readText(file.mimetype).toLowerCase()) return ok("Yes, with the file's own content type");
  return bare === 'application/octet-stream'
    ? handled('Yes, with a content type that fits any file', own)
    : handled('Yes, with another content type', 'The nodes take the one that comes.');
}

const onAttachments = questionsOn('Attachments', 'application');

export const attachmentQuestions: readonly Question[] = [
  onAttachments('Which address does an attachment carry?', address),
  onAttachments("Is an attachment's ID also the one in its address?", addressId),
  onAttachments('Can an attachment be downloaded?', download),
];
