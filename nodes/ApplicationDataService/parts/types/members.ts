import type { IDataObject } from 'n8n-workflow';

import type { Part, PartCodec, PartValueObject, WriteContext, WriteValue } from '../model/part';
import {
  asItCame,
  isEmpty,
  isObject,
  readOneId,
  readItems,
  readText,
  setOwn,
  type SimplifiedValue,
} from '../values/shapes';
import { NameGivenError, refuse } from '../model/errors';
import { describeList, describeValues } from '../values/describe';
import { jsonOrValue, LINES, splitText } from '../values/lists';
import { nearestOfEach } from '../values/likeness';

type Kind = 'users' | 'groups';

/** `[{id, name, ...}]` from `{users: {item: [...]}}` or `{groups: ...}`. Other keys of an item are unchanged. */
function readMembers(container: Kind) {
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
  const member: IDataObject = { id: readOneId(item.id), name: readText(item.Name ?? item.name) };
  for (const key of Object.keys(item)) {
    if (!Object.hasOwn(member, key) && key !== 'Name') setOwn(member, key, asItCame(item[key]));
  }
  return member;
}

/** The system ID, or the name, that one item gives; `null` if neither. Of what a read returned it is the `id`. */
function textOf(item: unknown): string | null {
  const id: unknown = isObject(item) ? item.id : item;
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? String(id) : null;
  if (typeof id !== 'string') return null;
  const text = id.trim();
  return text === '' || /[\t\r\n]/.test(text) ? null : text;
}

/** A typed text may be one name with a comma in it: only if nobody has it, its pieces are meant. */
function itemsOf(value: unknown, kind: Kind, people: WriteContext['people']): readonly unknown[] {
  const given = jsonOrValue(value);
  if (Array.isArray(given)) return given;
  if (typeof given !== 'string') return [given];
  const isName = (text: string): boolean => (people?.idsOf(kind, text).length ?? 0) > 0;
  return splitText(given, LINES).flatMap((line) => (isName(line) ? [line] : splitText(line, /,/)));
}

function writeMembers(kind: Kind, accepts: string): NonNullable<PartCodec['write']> {
  return (value: unknown, part: Part, context: WriteContext): WriteValue => {
    const items = isEmpty(value) ? [] : itemsOf(value, kind, context.people);
    const members = items
      .filter((item) => !isEmpty(item))
      .map((item) => {
        const text = textOf(item);
        if (text === null) throw refuse(part, item, { reason: 'it contains no system ID', accepts });
        const isName = !isObject(item) && !/^\d+$/.test(text);
        return { text, ids: isName ? idsOf(item, text, kind, context.people) : [text], isName };
      });
    const names = members.filter(({ isName }) => isName);
    if (names.length > 0) assertOneEach(names, part, kind, accepts, context);
    return { kind: 'text', text: [...new Set(members.map(({ ids }) => ids[0]))].join('\t') };
  };
}

/** Who has a name, exactly as it is given, else without the spaces around it. */
function idsOf(item: unknown, text: string, kind: Kind, people: WriteContext['people']): readonly string[] {
  const exact = people?.idsOf(kind, readText(item)) ?? [];
  return exact.length > 0 ? exact : (people?.idsOf(kind, text) ?? []);
}

/**
 * Each name must be that of one person or group: it is never guessed.
 * @throws NameGivenError if names are not known
 */
function assertOneEach(
  names: readonly { readonly text: string; readonly ids: readonly string[] }[],
  part: Part,
  kind: Kind,
  accepts: string,
  { people }: WriteContext,
): void {
  if (people === undefined) {
    const advice = 'To write names, switch on the option "People by Name".';
    const reason = `it is not the ID of a ${NOUNS[kind]}`;
    const { message, description } = refuse(part, names[0]?.text, { reason, accepts, advice });
    throw new NameGivenError(message, description);
  }
  const unknown = names.filter(({ ids }) => ids.length === 0).map(({ text }) => text);
  if (unknown.length > 0) {
    const isOne = unknown.length === 1;
    const noun = NOUNS[kind];
    throw refuse(part, unknown, {
      shown: describeValues(unknown),
      reason: isOne
        ? `no ${noun} in the records has this name or email`
        : `no ${noun} in the records has these names or emails`,
      accepts: `${isOne ? 'a name or email as the records show it' : 'names or emails as the records show them'}, or ${accepts}`,
      suggestion: nearestOfEach(unknown, [...people.texts(kind)]),
    });
  }
  for (const { text, ids } of names) {
    if (ids.length > 1) {
      const reason = `several have this name or email, with the IDs ${describeList(ids)}`;
      throw refuse(part, text, { reason, accepts });
    }
    people.chosen(kind, text, ids[0] ?? '');
  }
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
