import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** With at least this many results, a run ends with a summary. */
const SUMMARY_FROM = 10;

/** Collects what the user should know about a run. Each sentence appears once, however many items it concerns. */
export class Hints {
  private readonly sentences = new Map<string, number>();

  private readonly tallies = new Map<string, number>();

  private readonly counts = new Map<string, number>();

  /** @param sentence without a full stop. If it concerns several items, their number is added. */
  add(sentence: string): void {
    this.sentences.set(sentence, (this.sentences.get(sentence) ?? 0) + 1);
  }

  /** Says something once, however many items it concerns. */
  once(sentence: string): void {
    this.sentences.set(sentence, 1);
  }

  /** Counts the subject of a sentence. The number comes after it: "Rows not found: 3". */
  tally(sentence: string, by: number): void {
    if (by > 0) this.tallies.set(sentence, (this.tallies.get(sentence) ?? 0) + by);
  }

  /** Counts what was done, for the summary of a long run, e.g. "created". */
  count(what: string, by = 1): void {
    if (by > 0) this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /** Shows the hints above the node's output, and a summary if there are too many results to see at a glance. */
  show(context: IExecuteFunctions): void {
    const hints = this.texts().map((message): NodeExecutionHint => ({ message, location: 'outputPane' }));
    // An agent's tool in n8n 1.x has nowhere to show them.
    if (hints.length > 0 && 'addExecutionHints' in context) context.addExecutionHints(...hints);
  }

  /** The hints, the summary first if there is one. */
  texts(): string[] {
    const texts = [...this.sentences].map(([sentence, count]) =>
      count === 1 ? sentence : `${sentence} (${count} items)`,
    );
    for (const [sentence, count] of this.tallies) texts.push(`${sentence}: ${count}`);
    const done = [...this.counts];
    const total = done.reduce((sum, [, count]) => sum + count, 0);
    if (total >= SUMMARY_FROM) texts.unshift(done.map(([what, count]) => `${count} ${what}`).join(', '));
    return texts;
  }
}
