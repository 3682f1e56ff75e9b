/**
 * `ok`: as documented or expected. `handled`: different, but the nodes handle it. `limited`: something works less well.
 * `problem`: something does not work. `unknown`: not asked, or the answer is inconclusive.
 */
export type FindingVerdict = 'ok' | 'handled' | 'limited' | 'problem' | 'unknown';

/**
 * The answer to a question. Users share the report with strangers: no text may contain the access key, an address, a
 * name of an application, a part or a person, or a value of a record.
 */
export interface Finding {
  readonly answer: string;
  readonly verdict: FindingVerdict;
  /** What the answer means for the user; for `unknown`, how to find out. */
  readonly consequence: string;
}

const finding =
  (verdict: FindingVerdict) =>
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

/** The finding if the application has no record to look at. */
export const NO_RECORD = unknown(
  'There is no record',
  'Run the check again once the application holds some.',
);
