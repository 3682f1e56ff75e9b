import { jsonList, splitText } from '../../parts/lists';
import { readText } from '../../parts/wire';
import type { ItemRun } from '../run/itemRun';

/** Texts in a parameter that takes several, separated by commas, as an array or as JSON text of one; each once. */
export function readSeveral(item: ItemRun, name: string): string[] {
  const value = item.value(name, '');
  const given = typeof value === 'string' ? (jsonList(value) ?? value) : value;
  const texts = (Array.isArray(given) ? given : [given]).flatMap((each) => splitText(readText(each), /,/));
  return [...new Set(texts)];
}
