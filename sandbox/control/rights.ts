import type { Application } from '../storage/applications.ts';
import type { User } from '../storage/people.ts';
import { ControlError, objectOf } from './body.ts';

const scopes = ['all', 'own', 'none'];
const flags = [true, false];
const record = { read: flags, write: flags, delete: flags };
const allowed: Readonly<Record<string, readonly unknown[]>> = {
  access: flags,
  add: flags,
  read: scopes,
  write: scopes,
  delete: scopes,
};

/**
 * The rights of a user. An unknown name would silently allow everything, so all names are checked.
 * @throws {@link ControlError} naming what does not exist
 */
export function readRights(given: unknown, applications: readonly Application[]): User['rights'] {
  for (const [name, rights] of Object.entries(objectOf(given))) {
    const meant = applications.filter((application) => name === '*' || isNamed(application, name));
    if (meant.length === 0 && name !== '*') throw new ControlError(`There is no application "${name}"`);
    const { parts = {}, records = {}, ...others } = objectOf(rights);
    check(others, allowed);
    for (const one of Object.values(objectOf(records))) check(objectOf(one), record);
    const known = meant.flatMap((application) =>
      application.parts.flatMap((part) => [part, ...part.children]),
    );
    for (const [part, right] of Object.entries(objectOf(parts))) {
      if (!known.some((one) => one.name === part || isNamed(one, part))) {
        throw new ControlError(`There is no part "${part}" in the application`);
      }
      check({ [part]: right }, { [part]: ['write', 'read', 'none'] });
    }
  }
  return given as User['rights'];
}

function check(rights: Record<string, unknown>, known: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [name, value] of Object.entries(rights)) {
    const values = known[name];
    if (!values) throw new ControlError(`There is no right "${name}"`);
    if (!values.includes(value)) throw new ControlError(`"${name}" must be one of: ${values.join(', ')}`);
  }
}

function isNamed(
  { id, identifier }: { readonly id: number; readonly identifier: string },
  name: string,
): boolean {
  return name === String(id) || (name !== '' && name === identifier);
}
