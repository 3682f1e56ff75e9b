import type { Finding } from './finding';
import type { Inquiry } from './inquiry';

type Area =
  'Connection' | 'Application' | 'Lists' | 'Values' | 'Table rows' | 'Attachments' | 'Conditions' | 'Sorting';

/**
 * What a question needs: a service that answers, a key that may list applications, or an application that it may read.
 */
export type Need = 'nothing' | 'connection' | 'listing' | 'application';

/** One question that the interface leaves open, or on which the nodes depend. It names its subject. */
export interface Question {
  readonly area: Area;
  readonly question: string;
  readonly needs: Need;
  /** @throws ServiceError if it cannot be asked. */
  readonly ask: (inquiry: Inquiry) => Promise<Finding>;
}

/** Makes the questions on one subject that need the same. */
export function questionsOn(area: Area, needs: Need): (question: string, ask: Question['ask']) => Question {
  return (question, ask) => ({ area, question, needs, ask });
}
