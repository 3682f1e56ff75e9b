/** How a text reaches the user: as an error, a hint above the output, a line in n8n's log, a note in the editor. */
export type MessageKind = 'error' | 'hint' | 'warning' | 'notice';

/** A text that the package can show, with `…` for inserted text. */
export interface Message {
  readonly kind: MessageKind;
  readonly text: string;
  /**
   * The failures that a `ServiceError` with this text stands for; empty for other errors, before which nothing was
   * sent.
   */
  readonly failures: readonly string[];
  /** The first source file that contains it, relative to the repository. */
  readonly file: string;
}
