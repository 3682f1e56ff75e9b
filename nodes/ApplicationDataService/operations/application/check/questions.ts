import { applicationQuestions } from './application';
import { attachmentQuestions } from './attachments';
import { conditionQuestions, sortQuestions } from './conditions';
import { connectionQuestions } from './connection';
import { fileQuestions, removalQuestions, rowQuestions } from './contents';
import { deletionQuestions } from './deleting';
import type { Question } from './question';
import { listQuestions } from './lists';
import { notAskedQuestions } from './notAsked';
import { valueQuestions } from './values';
import { writingQuestions } from './writing';

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
