import { canonicalText, storedText } from '../../../parts/compare';
import { outputKey, partKey } from '../../../parts/model/keys';
import type { Part } from '../../../parts/model/part';
import type { FormField } from '../../../service/http/multipart';
import { filterCondition, filterText } from '../../../service/read/filter';
import type { Inquiry, Sampled } from './inquiry';
import { type Finding, unknown } from './finding';

/** How many of the records that a condition finds are looked at. */
export const FOUND: FormField = ['limit', '50'];

export const NO_ID = unknown('Not asked: lists carry no record ID', 'See "Do lists carry the record ID?".');

/** A record's value of a part, as a write sends it. */
interface Held {
  readonly id: string;
  readonly text: string;
}

/** A value that exists, and whether another record of the sample holds a different one. */
interface Specimen {
  readonly part: Part;
  readonly held: Held;
  readonly contrast: boolean;
}

/** The values of a part in records, if they are known and not empty. */
export async function heldBy(
  inquiry: Inquiry,
  part: Part,
  records: readonly Sampled[],
): Promise<(Held | null)[]> {
  const keyMode = await inquiry.keyMode();
  const context = { keyMode, timezone: inquiry.terms.timezone };
  const key = outputKey(partKey(part, keyMode));
  return await Promise.all(
    records.map(async ({ id, raw }) => {
      const simplified = await inquiry.simplified(raw);
      if (id === null || !Object.hasOwn(simplified, key)) return null;
      return { id, text: canonicalText(part, storedText(part, simplified[key], context)) };
    }),
  );
}

/** A value of a type in the sample, preferably from a part with different values; `null` if none was seen. */
export async function specimenOf(inquiry: Inquiry, type: string): Promise<Specimen | null> {
  const sample = await inquiry.sample();
  const mode = await inquiry.keyMode();
  const parts = (await inquiry.partsOf(type)).filter((part) => partKey(part, mode) !== '');
  let best: Specimen | null = null;
  for (const part of parts) {
    const values = (await heldBy(inquiry, part, sample)).filter((held) => held !== null);
    const held = values.find(({ text }) => text !== '' && !/[\r\n]/.test(text) && text.length < 255);
    if (held === undefined) continue;
    const contrast = values.some(({ text }) => text !== held.text);
    best ??= { part, held, contrast };
    if (contrast) return { part, held, contrast };
  }
  return best;
}

/** The form field of a filter with one condition. */
export function condition(part: Part, operator: string, value?: string): FormField {
  return ['filter', filterText([filterCondition(part, operator, value)])];
}

/** The finding if no value of a type was seen. */
export function unseen(type: string): Finding {
  return unknown(`No value of the type ${type} was seen`, 'Run the check in an application that holds one.');
}
