/**
 * A number and what it counts: "1 record", "3 records". With a verb, pass both forms: "1 record was", "3 records were".
 */
export function counted(count: number, one: string, several = `${one}s`): string {
  // Concatenated, not a template: the list of messages has one row for both forms.
  return [count, count === 1 ? one : several].join(' ');
}
