import { partKey } from '../../../parts/model/keys';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import { limited, ok, unknown, type Finding } from './finding';
import type { Inquiry } from './inquiry';
import type { Question } from './question';
import { NO_RECORD } from './noRecord';
import type { FormField } from '../../../service/http/multipart';
import type { RawRecord } from '../../../service/read/recordList';

async function keyword(inquiry: Inquiry): Promise<Finding> {
  const mode = await inquiry.keyMode();
  const id = await inquiry.listedId();
  const texts = (await inquiry.parts()).filter((part) => part.type === 'textbox' && !part.reference);
  for (const part of id === null ? [] : texts) {
    const known = (await inquiry.sample()).find((record) => isWord(textIn(record.raw, partKey(part, mode))));
    if (known === undefined) continue;
    const word: FormField = ['keyword', textIn(known.raw, partKey(part, mode))];
    const finds = async (parts: (typeof part)[]): Promise<boolean> =>
      (await inquiry.records([word], parts)).some((record) => record.id === known.id);
    if (!(await finds([part]))) {
      return limited(
        'It does not find a text that is there',
        'The application may name other parts as targets of the keyword search. Use conditions instead of a keyword.',
      );
    }
    return (await finds([]))
      ? ok('In the parts that the application names', 'What is returned makes no difference.')
      : ok('In the parts that are asked for', 'The nodes ask for all parts to be searched.');
  }
  return unknown('No text part with a short text was seen', NO_RECORD.consequence);
}

function textIn(raw: RawRecord, key: string): string {
  const value = raw[key];
  return readText(isObject(value) ? value.val : value);
}

function isWord(text: string): boolean {
  return text.trim() === text && text.length > 1 && text.length < 100 && !/[\t\r\n]/.test(text);
}

/** Questions about what a keyword finds. */
export const keywordQuestions: readonly Question[] = [
  { area: 'Lists', question: 'Where does a keyword search?', needs: 'application', ask: keyword },
];
