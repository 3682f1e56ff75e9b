import { applicationQuestions } from './applicationQuestions';
import { attachmentQuestions } from './attachmentQuestions';
import { conditionQuestions } from './conditionQuestions';
import { connectionQuestions } from './connectionQuestions';
import { deletionQuestions } from './deletionQuestions';
import { fileQuestions, removalQuestions } from './fileQuestions';
import { rowQuestions } from './rowQuestions';
import { keywordQuestions } from './keywordQuestions';
import type { Question } from './question';
import { sortQuestions } from './sortQuestions';
import { listQuestions } from './listQuestions';
import { notAskedQuestions } from './notAskedQuestions';
import { valueQuestions } from './valueQuestions';
import { writingQuestions } from './writingQuestions';

/**
 * All questions of a check, in the order in which they are asked: what the interface leaves open and the nodes depend on.
 * The test records are added first, so that questions about values find some, and removed last.
 */
export const QUESTIONS: readonly Question[] = [
  ...connectionQuestions,
  ...applicationQuestions,
  ...writingQuestions,
  ...rowQuestions,
  ...fileQuestions,
  ...listQuestions,
  ...keywordQuestions,
  ...valueQuestions,
  ...attachmentQuestions,
  ...conditionQuestions,
  ...sortQuestions,
  ...removalQuestions,
  ...deletionQuestions,
  ...notAskedQuestions,
];
