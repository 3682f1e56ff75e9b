/**
 * `ok`: as documented or likeliest. `handled`: otherwise, and the nodes cope. `limited`: something of the nodes does less.
 * `problem`: something does not work. `unknown`: not asked, or the answer tells nothing.
 */
export type Verdict = 'ok' | 'handled' | 'limited' | 'problem' | 'unknown';

/**
 * What was found out. The report is given to strangers: none of the texts may hold the access key, an address, a name of an
 * application, a part or a person, or a value of a record.
 */
export interface Finding {
  readonly answer: string;
  readonly verdict: Verdict;
  /** What the answer means for the user; for `unknown`, how to find out. */
  readonly consequence: string;
}

const finding =
  (verdict: Verdict) =>
  (answer: string, consequence: string): Finding => ({ answer, verdict, consequence });

export const ok = finding('ok');
export const handled = finding('handled');
export const limited = finding('limited');
export const problem = finding('problem');
export const unknown = finding('unknown');

/** A question that cannot be asked or answered, with what to say instead. */
export class Unanswered extends Error {
  constructor(readonly finding: Finding) {
    super(finding.answer);
  }
}
