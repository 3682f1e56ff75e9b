import type { IDataObject } from 'n8n-workflow';

import { NameGivenError, refuse } from '../model/errors';
import { EVERY_USE, type MemberKind, type Part, type PartCodec, type WriteContext } from '../model/part';
import { describeList } from '../values/describe';
import { nearest } from '../values/likeness';
import { jsonOrValue, LINES, splitText } from '../values/given';
import { asItCame, isEmpty, isObject, readObjects, readOneId, readText, setOwn } from '../values/shapes';

const MEMBER_KEYS: readonly string[] = ['id', 'Name', 'name'];

function readMember(item: Record<string, unknown>): IDataObject {
  const member: IDataObject = { id: readOneId(item.id), name: readText(item.Name ?? item.name) };
  for (const key of Object.keys(item))
    if (!MEMBER_KEYS.includes(key)) setOwn(member, key, asItCame(item[key]));
  return member;
}

/** Whether an item names somebody. One that was read has an ID: if that is empty, it lost digits, and means nobody. */
function isNamed(item: unknown): item is { readonly name: unknown } {
  return isObject(item) && 'name' in item && !('id' in item);
}

/** The system ID, or the name, that one item gives; `null` if neither. Of what a read returned it is the `id`. */
function textOf(item: unknown): string | null {
  if (isNamed(item)) return readText(item.name).trim() || null;
  const id: unknown = isObject(item) ? item.id : item;
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? String(id) : null;
  if (typeof id !== 'string') return null;
  const text = id.trim();
  return text === '' || /[\t\r\n]/.test(text) ? null : text;
}

/** A typed text may be one name with a comma in it: only if nobody has it, its pieces are meant. */
function memberItems(value: unknown, kind: MemberKind, people: WriteContext['people']): readonly unknown[] {
  const given = jsonOrValue(value);
  if (Array.isArray(given)) return given.filter((item) => !isEmpty(item));
  if (typeof given !== 'string') return isEmpty(given) ? [] : [given];
  const isName = (text: string): boolean => (people?.idsOf(kind, text).length ?? 0) > 0;
  return splitText(given, LINES).flatMap((line) => (isName(line) ? [line] : splitText(line, /,/)));
}

/** Those whom a text may name, where the names are not known: the whole of a line, and what its commas separate. */
export function mayName(text: string): readonly unknown[] {
  const given = jsonOrValue(text);
  if (typeof given !== 'string') return Array.isArray(given) ? given : [given];
  return splitText(given, LINES).flatMap((line) => [...new Set([line, ...splitText(line, /,/)])]);
}

/** The ID of the one that an item gives, never guessed. @throws UserError; NameGivenError if names are not known */
function memberId(item: unknown, part: Part, kind: MemberKind, people: WriteContext['people']): string {
  const text = textOf(item);
  if (text === null) throw refuse(part, item, 'it contains no ID');
  const isId = isObject(item) || /^\d+$/.test(text);
  if (isId && !isNamed(item)) return text;
  const noun = kind === 'users' ? 'user' : 'group';
  if (people === undefined) {
    const { message, description } = refuse(part, text, `it is not the ID of a ${noun}`, {
      accepts: IDS[kind],
    });
    throw new NameGivenError(message, description, part.name);
  }
  // Exactly as it is given, else without the spaces around it.
  const exact = people.idsOf(kind, readText(isNamed(item) ? item.name : item));
  const ids = exact.length > 0 ? exact : people.idsOf(kind, text);
  if (ids[0] === undefined)
    throw refuse(part, text, `no ${noun} in the records has this name or email`, {
      suggestion: nearest(text, people.texts(kind)),
    });
  if (ids.length > 1)
    throw refuse(part, text, `several have this name or email, with the IDs ${describeList(ids)}`);
  people.chosen(kind, text, ids[0]);
  return ids[0];
}

const IDS: Readonly<Record<MemberKind, string>> = {
  users: 'user IDs, as a list or comma-separated, or users as Get returns them',
  groups: 'group IDs, as a list or comma-separated, or groups as Get returns them',
};

function memberCodec(label: string, kind: MemberKind): PartCodec {
  return {
    label,
    read: ({ val }) => readObjects(val, kind, readMember),
    write(value, part, { people }) {
      const ids = memberItems(value, kind, people).map((item) => memberId(item, part, kind, people));
      return { kind: 'text', text: [...new Set(ids)].join('\t') };
    },
    accepts: `names or emails as the records show them, or ${IDS[kind]}`,
    form: 'name',
    ...EVERY_USE,
    members: kind,
  };
}

export const users = memberCodec('Select user', 'users');
export const groups = memberCodec('Select group', 'groups');

export const user: PartCodec = {
  label: 'User',
  read: users.read,
  accepts: 'nothing: the service sets it itself',
  ...EVERY_USE,
  members: 'users',
};
