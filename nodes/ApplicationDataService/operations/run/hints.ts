import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { mask } from '../../service/http/secrets';
import { counted } from '../../parts/values/describe';

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

  private say(kind: string, sentence: string, by: number, text: Hint['text']): void {
    const hints = this.kinds.get(kind) ?? new Map<string, Hint>();
    const hint = hints.get(sentence) ?? { count: 0, text };
    hint.count += by;
    this.kinds.set(kind, hints.set(sentence, hint));
  }

  /** Shows the hints above the node's output. */
  show(context: IExecuteFunctions): void {
    const hints = this.texts().map((message): NodeExecutionHint => ({ message, location: 'outputPane' }));
    // An agent's tool in n8n 1.x has nowhere to show them.
    if (hints.length > 0 && 'addExecutionHints' in context) context.addExecutionHints(...hints);
  }

  texts(): string[] {
    return [...this.kinds.values()].flatMap((hints) => shown([...hints.values()])).map((text) => mask(text));
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
