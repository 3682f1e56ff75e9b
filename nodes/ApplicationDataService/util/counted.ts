/** A number and what it counts: "1 record", "3 records". With a verb, pass both forms. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
