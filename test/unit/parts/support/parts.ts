import { UserError } from '../../../../nodes/ApplicationDataService/util/userError';
import type {
  Part,
  WriteContext,
  WriteValue,
} from '../../../../nodes/ApplicationDataService/parts/model/part';
import { assertOffered } from '../../../../nodes/ApplicationDataService/parts/encode';
import { codecOf } from '../../../../nodes/ApplicationDataService/parts/codecs';

export const TOKYO: WriteContext = { keyMode: 'name', timezone: 'Asia/Tokyo' };

let lastId = 100;

/** A part of a type, with a new id unless `overrides` has one. */
export function makePart(type: string, overrides: Partial<Part> = {}): Part {
  lastId += 1;
  const id = overrides.id ?? String(lastId);
  return {
    id,
    name: `${type} ${id}`,
    identifier: '',
    type,
    readOnly: false,
    system: false,
    reference: false,
    options: [],
    allowOther: false,
    timeUnit: null,
    children: [],
    codec: codecOf(type),
    ...overrides,
  };
}

/** The value that a part's codec reads from a `val`. */
export function readVal(part: Part, val: unknown): unknown {
  return part.codec.read({ val }, part);
}

/** The encoded value that a part's codec creates. */
export function write(part: Part, value: unknown, context: WriteContext = TOKYO): WriteValue {
  const { write: encode } = part.codec;
  if (encode === undefined) throw new Error(`type ${part.type} is not written`);
  return encode(value, part, context);
}

/** The form field of an encoded value in a new record. */
export function writeText(part: Part, value: unknown, context: WriteContext = TOKYO): string {
  const written = write(part, value, context);
  assertOffered([{ part, value: written }], null, context);
  if (written.kind !== 'text') throw new Error(`expected a text, got ${written.kind}`);
  return written.text;
}

/** The refusal that `act` throws. */
export function refusalOf(act: () => unknown): UserError {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** What a refusal suggests in place of the refused text; `null` if it suggests nothing. */
export function suggestionIn({ description }: UserError): string | null {
  return /^Did you mean "(.*?)"\? /s.exec(description)?.[1] ?? null;
}
