import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { mask } from '../../service/http/credentials';
import { counted } from '../../parts/values/describe';
import { longHash } from '../../util/hashText';

const MAX_OF_A_KIND = 10;

/** Collects what the user should know about a run. Each sentence appears once, however many items it concerns. */
export class Hints {
  /** How often each sentence was said, by kind, and the sentence with that number. */
  private readonly kinds = new Map<string, Map<string, { count: number; text: (count: number) => string }>>();

  /** How many items have asked for the same. */
  private readonly questions = new Map<string, number>();

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

  /** Counts the items that ask for the same as another does: many people expect that a list is read once. */
  sameQuestion(question: readonly unknown[]): void {
    // Of ten thousand questions only hashes are kept.
    const key = longHash(JSON.stringify(question));
    const times = (this.questions.get(key) ?? 0) + 1;
    this.questions.set(key, times);
    if (times === 1) return;
    this.say('same question', 'same question', times === 2 ? 2 : 1, (count) => {
      const advice = "To run it once, for the first item, turn on Execute Once in the node's settings";
      return `This ran once for each of ${count} items, and asked for the same each time. ${advice}`;
    });
  }

  private say(kind: string, sentence: string, by: number, text: (count: number) => string): void {
    const hints = this.kinds.get(kind) ?? new Map<string, { count: number; text: typeof text }>();
    const count = (hints.get(sentence)?.count ?? 0) + by;
    this.kinds.set(kind, hints.set(sentence, { count, text }));
  }

  show(context: IExecuteFunctions): void {
    const hints = this.texts().map((message): NodeExecutionHint => ({ message, location: 'outputPane' }));
    // An agent's tool in n8n 1.x has nowhere to show them.
    if (hints.length > 0 && 'addExecutionHints' in context) context.addExecutionHints(...hints);
  }

  /** Of each kind the first ones, then the number of the others. */
  texts(): string[] {
    return [...this.kinds.values()].flatMap((hints) => {
      const texts = [...hints.values()].slice(0, MAX_OF_A_KIND).map(({ count, text }) => mask(text(count)));
      const others = counted(hints.size - texts.length, 'more hint', 'more hints');
      return hints.size === texts.length ? texts : [...texts, `Not shown: ${others} like the last one`];
    });
  }
}
