import type { Finding } from './finding';
import type { Inquiry } from './inquiry';

/** What a question is about; the report has a section for each. */
export type Area =
  | 'Connection'
  | 'Application'
  | 'Lists'
  | 'Writing'
  | 'Values'
  | 'Table rows'
  | 'Attachments'
  | 'Conditions'
  | 'Sorting'
  | 'Deleting'
  | 'Not asked';

/** What a question needs: a service that answers, a readable application, permission to write, or a test record. */
export type Need = 'nothing' | 'connection' | 'application' | 'writeTest' | 'testRecord';

/** One question that the interface leaves open, or on which the nodes depend. It names its subject. */
export interface Question {
  readonly area: Area;
  readonly question: string;
  readonly needs: Need;
  /** Asked even if the service has stopped answering, because it is about the records that are left. */
  readonly evenIfGone?: boolean;
  /** @throws ServiceError if it cannot be asked. */
  readonly ask: (inquiry: Inquiry) => Promise<Finding>;
}

/** Makes the questions on one subject that need the same. */
export function questionsOn(area: Area, needs: Need): (question: string, ask: Question['ask']) => Question {
  return (question, ask) => ({ area, question, needs, ask });
}
