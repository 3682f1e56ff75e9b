import { unknown } from './finding';
import type { Question } from './question';

const notAsked = (question: string, consequence: string): Question => ({
  area: 'Not asked',
  question,
  needs: 'nothing',
  ask: async () => await Promise.resolve(unknown('Not asked: it would do harm', consequence)),
});

/** What cannot be asked without harm, and how to find out. */
export const notAskedQuestions: readonly Question[] = [
  notAsked(
    'How many calls may wait before the service answers 429?',
    'It would stop the service for everybody. The nodes obey a 429 whenever it comes; the log of n8n shows it.',
  ),
  notAsked(
    'Does automatic processing send webhooks?',
    'It would start workflows. Set one up with the webhook trigger, and change a record by hand.',
  ),
  notAsked(
    'How large may a request and an attachment be?',
    'It would fill the service. Upload files of the size you need to a test application.',
  ),
  notAsked(
    'How many records does one request delete at most?',
    'It would take many test records. The nodes send up to 200 IDs, and fewer where that is refused.',
  ),
];
