/** Something a person can mend: shown as its sentence alone, without a stack. */
export class DemoError extends Error {}
