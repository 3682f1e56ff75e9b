import { applicationQuestions } from './applicationQuestions';
import { attachmentQuestions } from './attachmentQuestions';
import { conditionQuestions, sortQuestions } from './conditionQuestions';
import { connectionQuestions } from './connectionQuestions';
import { fileQuestions, removalQuestions, rowQuestions } from './contentQuestions';
import { deletionQuestions } from './deletionQuestions';
import type { Question } from './question';
import { listQuestions } from './listQuestions';
import { notAskedQuestions } from './notAskedQuestions';
import { valueQuestions } from './valueQuestions';
import { writingQuestions } from './writingQuestions';

/**
 * Every question of a check, in the order in which they are asked: what the interface leaves open and the nodes depend on.
 * Records of the check's own are made first, so that questions about values find some; their removal comes last.
 */
export const QUESTIONS: readonly Question[] = [
  ...connectionQuestions,
  ...applicationQuestions,
  ...writingQuestions,
  ...rowQuestions,
  ...fileQuestions,
  ...listQuestions,
  ...valueQuestions,
  ...attachmentQuestions,
  ...conditionQuestions,
  ...sortQuestions,
  ...removalQuestions,
  ...deletionQuestions,
  ...notAskedQuestions,
];
