/** A problem that a person can solve. It is shown as one sentence, without a stack. */
export class DemoError extends Error {}
