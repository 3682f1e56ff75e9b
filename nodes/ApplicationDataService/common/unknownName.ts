import type { UnknownName } from '../parts/conditions/namesRead';
import { namePart } from '../parts/model/errors';

/** What to say where a filter names somebody whom no record names: nothing is found, which looks like a right answer. */
export function nameNotRead({ part, text, nearest }: UnknownName): string {
  const found = `No record that was read names "${text}" in part ${namePart(part)}`;
  if (nearest !== undefined) return `${found}. The nearest name is "${nearest}"`;
  return /^\d+$/.test(text)
    ? `${found}. If it is an ID, choose "ID" under Compare By`
    : `${found}. Check the spelling`;
}
