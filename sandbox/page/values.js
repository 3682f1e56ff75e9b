import { control } from './control.js';

/** Users and groups, as parts of these types name them. */
export const people = { users: [], groups: [] };

export async function readPeople() {
  [people.users, people.groups] = await Promise.all([control('/users'), control('/groups')]);
}

/** A stored value as a person reads it, with a line for each of several values. */
export function textOf({ type, children }, value) {
  if (value === undefined || value === null) return '';
  if (type === 'time') return clockOf(value);
  if (type === 'datetime') return String(value).replace('T', ' ');
  if (type === 'files') return value.map(({ name, size }) => `${name} (${size} bytes)`).join('\n');
  if (type === 'users' || type === 'groups') return value.map((id) => nameOf(type, id)).join('\n');
  if (type === 'input_list') return value.map((row) => rowText(row, children)).join('\n');
  return [value].flat().map(String).join('\n');
}

export function nameOf(type, id) {
  return people[type].find((each) => each.id === String(id))?.name ?? String(id);
}

function rowText(row, children) {
  const shown = children.filter(({ name }) => row[name] !== undefined);
  return shown
    .map((part) => `${part.name}: ${textOf(part, row[part.name]).replaceAll('\n', ', ')}`)
    .join(', ');
}

/** Seconds since midnight as hours and minutes, with seconds only where there are some. */
export function clockOf(value) {
  const seconds = Number(value);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts
    .slice(0, seconds % 60 === 0 ? 2 : 3)
    .map((each) => String(each).padStart(2, '0'))
    .join(':');
}

/** The seconds of hours and minutes; another text as it is, for the service to refuse. */
export function secondsOf(text) {
  const [, hours, minutes, seconds = 0] = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  return hours === undefined ? text : String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
