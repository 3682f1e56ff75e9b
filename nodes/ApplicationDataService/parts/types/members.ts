import type { IDataObject } from 'n8n-workflow';

import type { Part, PartCodec, WriteContext, WriteValue } from '../model/part';
import { asItCame, isEmpty, isObject, readOneId, readObjects, readText, setOwn } from '../values/shapes';
import { NameGivenError, refuse } from '../model/errors';
import { describeList, describeValues } from '../values/describe';
import { jsonOrValue, LINES, splitText } from '../values/lists';
import { nearestOfEach } from '../values/likeness';

type Kind = 'users' | 'groups';

const NOUNS: Readonly<Record<Kind, string>> = { users: 'user', groups: 'group' };

/** `{id, name, ...}`. Other keys are unchanged. */
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

/** A person or group that a value names: their ID, or a name with the IDs of all who have it. */
interface Named {
  readonly text: string;
  readonly ids: readonly string[];
  readonly isName: boolean;
}

function writeMembers(kind: Kind, accepts: string): NonNullable<PartCodec['write']> {
  return (value: unknown, part: Part, { people }: WriteContext): WriteValue => {
    const items = isEmpty(value) ? [] : itemsOf(value, kind, people);
    const members = items
      .filter((item) => !isEmpty(item))
      .map((item): Named => {
        const text = textOf(item);
        if (text === null) throw refuse(part, item, { reason: 'it contains no system ID', accepts });
        if (isObject(item) || /^\d+$/.test(text)) return { text, ids: [text], isName: false };
        // Exactly as it is given, else without the spaces around it.
        const ids = [readText(item), text].map((name) => people?.idsOf(kind, name) ?? []);
        return { text, ids: ids.find(({ length }) => length > 0) ?? [], isName: true };
      });
    const names = members.filter(({ isName }) => isName);
    if (names.length > 0) assertOneEach(names, part, kind, accepts, people);
    return { kind: 'text', text: [...new Set(members.map(({ ids }) => ids[0]))].join('\t') };
  };
}

/**
 * Each name must be that of one person or group: it is never guessed.
 * @throws NameGivenError if names are not known
 */
function assertOneEach(
  names: readonly Named[],
  part: Part,
  kind: Kind,
  accepts: string,
  people: WriteContext['people'],
): void {
  if (people === undefined) {
    const advice = 'To write names, switch on the option "People by Name".';
    const reason = `it is not the ID of a ${NOUNS[kind]}`;
    const { message, description } = refuse(part, names[0]?.text, { reason, accepts, advice });
    throw new NameGivenError(message, description);
  }
  const unknown = names.filter(({ ids }) => ids.length === 0).map(({ text }) => text);
  if (unknown.length > 0)
    throw refuse(part, unknown, {
      shown: describeValues(unknown),
      reason: `no ${NOUNS[kind]} in the records has ${unknown.length === 1 ? 'this name or email' : 'these names or emails'}`,
      accepts: `a name or email as the records show it, or ${accepts}`,
      suggestion: nearestOfEach(unknown, [...people.texts(kind)]),
    });
  for (const { text, ids } of names) {
    const reason = `several have this name or email, with the IDs ${describeList(ids)}`;
    if (ids.length > 1) throw refuse(part, text, { reason, accepts });
    people.chosen(kind, text, ids[0] ?? '');
  }
}

function memberCodec(label: string, container: Kind, accepts: string): PartCodec {
  return {
    label,
    read: ({ val }) => readObjects(val, container, readMember),
    write: writeMembers(container, accepts),
    accepts,
    form: 'IDs or names',
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
