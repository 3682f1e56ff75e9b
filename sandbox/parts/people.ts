import { choicesOf } from './choices.ts';
import { container, idOf } from './shapes.ts';
import { InvalidValue, type People, type PartKind } from './kind.ts';

/** Select user, select group and user: stored as ids, shown as names (interface.md, "Value formats"). */
function peopleKind(what: 'users' | 'groups', writable: boolean): PartKind {
  const nameOf = (people: People, id: string) =>
    what === 'users' ? people.userName(id) : people.groupName(id);
  const namesOf = (ids: readonly string[], people: People) => ids.map((id) => nameOf(people, id) ?? id);
  const kind: PartKind = {
    traits: { searchable: true, sortable: true, filterable: true, set: true },
    render: (value, _part, { people, dialect }) => {
      const ids = choicesOf(value);
      const items = ids.map((id) => ({ id: idOf(id, dialect), Name: nameOf(people, id) ?? id }));
      return container(what, items, dialect);
    },
    keys: (value, people, byId) => (byId ? choicesOf(value) : namesOf(choicesOf(value), people)),
    texts: (value, people) => namesOf(choicesOf(value), people),
    operand: (text) => text,
  };
  if (!writable) return kind;
  return {
    ...kind,
    parse(text, _part, people) {
      const ids = [...new Set(text.split('\t').filter((id) => id !== ''))];
      for (const id of ids) {
        if (nameOf(people, id) === undefined) {
          throw new InvalidValue(`takes ids of ${what}, and there is none with the id "${id}"`);
        }
      }
      return ids.length === 0 ? undefined : ids;
    },
  };
}

export const users = peopleKind('users', true);
export const groups = peopleKind('groups', true);
export const user = peopleKind('users', false);
