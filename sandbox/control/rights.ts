import type { Application } from '../storage/applications.ts';
import type { User } from '../storage/people.ts';
import { ControlError, objectOf } from './body.ts';

const scopes = ['all', 'own', 'none'];
const partRights = ['write', 'read', 'none'];

/**
 * The rights of a user. An unknown name would silently allow everything, so all names are checked.
 * @throws {@link ControlError} naming what does not exist
 */
export function readRights(given: unknown, applications: readonly Application[]): User['rights'] {
  for (const [name, rights] of Object.entries(objectOf(given))) {
    const meant = applications.filter(
      ({ id, identifier }) => name === '*' || name === String(id) || (name !== '' && name === identifier),
    );
    if (meant.length === 0 && name !== '*') throw new ControlError(`There is no application "${name}"`);
    for (const [right, value] of Object.entries(objectOf(rights))) checkRight(right, value, meant);
  }
  return given as User['rights'];
}

function checkRight(right: string, value: unknown, applications: readonly Application[]): void {
  switch (right) {
    case 'access':
    case 'add':
      return oneOf(right, value, [true, false]);
    case 'read':
    case 'write':
    case 'delete':
      return oneOf(right, value, scopes);
    case 'parts':
      for (const [part, allowed] of Object.entries(objectOf(value))) {
        if (!applications.some((application) => hasPart(application, part))) {
          throw new ControlError(`There is no part "${part}" in the application`);
        }
        oneOf(`The right to ${part}`, allowed, partRights);
      }
      return;
    case 'records':
      for (const rights of Object.values(objectOf(value))) {
        for (const [what, allowed] of Object.entries(objectOf(rights))) {
          oneOf('A right to a record', what, ['read', 'write', 'delete']);
          oneOf(what, allowed, [true, false]);
        }
      }
      return;
    default:
      throw new ControlError(`There is no right "${right}"`);
  }
}

function oneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw new ControlError(`"${name}" must be one of: ${allowed.join(', ')}`);
}

function hasPart({ parts }: Application, name: string): boolean {
  const all = parts.flatMap((part) => [part, ...part.children]);
  return all.some(
    ({ id, name: own, identifier }) =>
      name === String(id) || name === own || (name !== '' && name === identifier),
  );
}
