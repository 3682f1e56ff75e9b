import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Collects what the user should know about a run, each sentence once however many items it concerns. */
export class Hints {
  private readonly counts = new Map<string, number>();

  /** @param sentence without a full stop; the number of items it was said for is added where it was several. */
  add(sentence: string): void {
    this.counts.set(sentence, (this.counts.get(sentence) ?? 0) + 1);
  }

  /** Shows the hints above the node's output. */
  show(context: IExecuteFunctions): void {
    const hints = [...this.counts].map(([sentence, count]): NodeExecutionHint => ({
      message: count === 1 ? sentence : `${sentence} (${count} items)`,
      location: 'outputPane',
    }));
    if (hints.length > 0) context.addExecutionHints(...hints);
  }
}
