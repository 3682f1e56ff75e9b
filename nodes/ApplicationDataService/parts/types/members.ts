import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject, WriteContext, WriteValue } from '../model/codec';
import {
  asItCame,
  isEmpty,
  isObject,
  readItems,
  readText,
  setOwn,
  type SimplifiedValue,
} from '../values/shapes';
import { NameGivenError, refuse } from '../model/errors';
import { describeValues } from '../values/describe';
import { jsonOrValue, splitText } from '../values/lists';
import type { Part } from '../model/part';
import { nearest, nearestOfEach } from '../values/suggest';

const SEPARATORS = /[,\t\r\n]+/;

/** `[{id, name, ...}]` from `{users: {item: [...]}}` or `{groups: ...}`. Other keys of an item are unchanged. */
function readMembers(container: 'users' | 'groups') {
  return ({ val }: PartValueObject): SimplifiedValue => {
    if (isEmpty(val)) return [];
    if (!Array.isArray(val) && !isObject(val)) return asItCame(val);
    // Not added one by one: the engine would give each list room for many more, which all items then hold.
    return readItems(isObject(val) && container in val ? val[container] : val).map((item) =>
      isObject(item) ? readMember(item) : asItCame(item),
    );
  };
}

function readMember(item: Record<string, unknown>): IDataObject {
  const member: IDataObject = { id: readText(item.id), name: readText(item.Name ?? item.name) };
  const keys = Object.keys(item);
  // Most have no other keys. Reading many of them should be fast.
  if (keys.length === 2 && 'id' in item && 'Name' in item) return member;
  for (const key of keys) {
    if (!Object.hasOwn(member, key) && key !== 'Name') setOwn(member, key, asItCame(item[key]));
  }
  return member;
}

/** The system id that one item of a list names: itself, or its `id` in a value as a read returns it. */
function idOf(item: unknown): string | null {
  const id: unknown = isObject(item) ? item.id : item;
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? String(id) : null;
  if (typeof id !== 'string') return null;
  const text = id.trim();
  return text === '' || /[\t\r\n]/.test(text) ? null : text;
}

function itemsOf(value: unknown): readonly unknown[] {
  const given = jsonOrValue(value);
  if (Array.isArray(given)) return given;
  return typeof given === 'string' ? splitText(given, SEPARATORS) : [given];
}

type Kind = 'users' | 'groups';

function writeMembers(kind: Kind, accepts: string): NonNullable<PartCodec['write']> {
  return (value: unknown, part: Part, context: WriteContext): WriteValue => {
    if (isEmpty(value)) return { kind: 'text', text: '' };
    const items = itemsOf(value).filter((item) => !isEmpty(item));
    assertAllNamed(items, part, kind, accepts, context);
    const ids = items.map((item) => {
      const id = idOf(item);
      if (id === null) throw refuse(part, item, { reason: 'it contains no system ID', accepts });
      return isName(item, id) ? idByName(id, part, kind, accepts, context) : id;
    });
    return { kind: 'text', text: [...new Set(ids)].join('\t') };
  };
}

function isName(item: unknown, id: string): boolean {
  return !isObject(item) && !/^\d+$/.test(id);
}

/** Refuses several names that nobody has at once; a single one is refused by {@link idByName}. */
function assertAllNamed(
  items: readonly unknown[],
  part: Part,
  kind: Kind,
  accepts: string,
  { people }: WriteContext,
): void {
  if (people === undefined) return;
  const unknown = items.flatMap((item) => {
    const name = idOf(item);
    return name !== null && isName(item, name) && people.idsOf(kind, name).length === 0 ? [name] : [];
  });
  if (unknown.length < 2) return;
  throw refuse(part, unknown, {
    shown: describeValues(unknown),
    reason: `no ${NOUNS[kind]} in the records has these names or emails`,
    accepts: `names or emails as the records show them, or ${accepts}`,
    suggestion: nearestOfEach(unknown, [...people.texts(kind)]),
  });
}

/**
 * The ID that belongs to a name or e-mail address. Never a guess: an ambiguous name is refused.
 * @throws NameGivenError if names are not known
 */
function idByName(text: string, part: Part, kind: Kind, accepts: string, { people }: WriteContext): string {
  const noun = NOUNS[kind];
  if (people === undefined) {
    const advice = 'To write names, switch on the option "People by Name".';
    const refusal = refuse(part, text, { reason: `it is not the ID of a ${noun}`, accepts, advice });
    throw new NameGivenError(refusal.message, refusal.description);
  }
  const [id, ...others] = people.idsOf(kind, text);
  if (id === undefined) {
    const suggestion = nearest(text, people.texts(kind));
    throw refuse(part, text, {
      reason: `no ${noun} in the records has this name or email`,
      accepts: `a name or email as the records show it, or ${accepts}`,
      suggestion,
    });
  }
  if (others.length === 0) {
    people.chosen(kind, text, id);
    return id;
  }
  const ids = [id, ...others].join(', ');
  throw refuse(part, text, { reason: `several have this name or email, with the IDs ${ids}`, accepts });
}

const NOUNS: Readonly<Record<Kind, string>> = { users: 'user', groups: 'group' };

function memberCodec(label: string, container: Kind, accepts: string): PartCodec {
  return {
    label,
    read: readMembers(container),
    write: writeMembers(container, accepts),
    accepts,
    forms: ['IDs, or names with People by Name'],
    sortable: true,
    searchable: true,
    filterable: true,
    members: container,
  };
}

/** users: system ids of users. */
export const users = memberCodec(
  'Select user',
  'users',
  'user IDs, as a list or comma-separated, or users as Get returns them',
);

/** groups: system ids of groups. */
export const groups = memberCodec(
  'Select group',
  'groups',
  'group IDs, as a list or comma-separated, or groups as Get returns them',
);

/** user: who created or changed the record; set by the service. */
export const user: PartCodec = {
  label: 'User',
  read: users.read,
  accepts: 'nothing: the service sets it itself',
  sortable: true,
  searchable: true,
  filterable: true,
  members: 'users',
};
