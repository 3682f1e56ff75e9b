import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { mask } from '../../service/http/secrets';

import { counted } from '../../util/counted';

/** With at least this many results, a run ends with a summary. */
const SUMMARY_FROM = 10;

/** How many hints of a kind are shown. */
const MAX_OF_A_KIND = 10;

interface Hint {
  count: number;
  readonly text: (count: number) => string;
}

/** Collects what the user should know about a run. Each sentence appears once, however many items it concerns. */
export class Hints {
  /** By kind, then by sentence. */
  private readonly kinds = new Map<string, Map<string, Hint>>();

  private readonly counts = new Map<string, number>();

  /**
   * @param sentence without a full stop. If it concerns several items, their number is added.
   * @param kind what it has in common with others that differ only in a name; at most ten of them are shown.
   */
  add(sentence: string, kind = sentence): void {
    this.say(kind, sentence, 1, (count) => (count === 1 ? sentence : `${sentence} (${count} items)`));
  }

  /** Says something once, however many items it concerns. */
  once(sentence: string, kind = sentence): void {
    this.say(kind, sentence, 1, () => sentence);
  }

  /** Counts the subject of a sentence. The number comes after it: "Rows not found: 3". */
  tally(sentence: string, by: number): void {
    if (by > 0) this.say(sentence, sentence, by, (count) => `${sentence}: ${count}`);
  }

  /** Counts what was done, for the summary of a long run, e.g. "created". */
  count(what: string, by = 1): void {
    if (by > 0) this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  private say(kind: string, sentence: string, by: number, text: Hint['text']): void {
    const hints = this.kinds.get(kind) ?? new Map<string, Hint>();
    const hint = hints.get(sentence) ?? { count: 0, text };
    hint.count += by;
    this.kinds.set(kind, hints.set(sentence, hint));
  }

  /** Shows the hints above the node's output, and a summary if there are too many results to see at a glance. */
  show(context: IExecuteFunctions): void {
    const hints = this.texts().map((message): NodeExecutionHint => ({ message, location: 'outputPane' }));
    // An agent's tool in n8n 1.x has nowhere to show them.
    if (hints.length > 0 && 'addExecutionHints' in context) context.addExecutionHints(...hints);
  }

  /** The hints, the summary first if there is one. */
  texts(): string[] {
    const texts = [...this.kinds.values()].flatMap((hints) => shown([...hints.values()]));
    const done = [...this.counts];
    const total = done.reduce((sum, [, count]) => sum + count, 0);
    if (total >= SUMMARY_FROM) texts.unshift(done.map(([what, count]) => `${count} ${what}`).join(', '));
    return texts.map((text) => mask(text));
  }
}

/** The first hints of a kind, then the number of the others. */
function shown(hints: readonly Hint[]): string[] {
  const texts = hints.slice(0, MAX_OF_A_KIND).map(({ count, text }) => text(count));
  const others = hints.length - texts.length;
  return others === 0
    ? texts
    : [...texts, `Not shown: ${counted(others, 'more hint', 'more hints')} like the last one`];
}
