import type { FastifyInstance } from 'fastify';
import type { User } from '../storage/people.ts';
import { ControlError, objectOf, textOr } from './body.ts';
import type { Controlled } from './controlled.ts';
import { readRights } from './rights.ts';

/** Users with their keys and rights, and groups. */
export function addPeopleControl(app: FastifyInstance, { service }: Controlled): void {
  const { people, applications } = service.storage;
  app.get('/users', () => people.users());
  app.get('/groups', () => people.groups());
  app.put<{ Params: { user: string } }>('/users/:user', ({ params, body }) => {
    const changes = objectOf(body);
    const rights = changes.rights === undefined ? undefined : readRights(changes.rights, applications.all());
    const user = changedUser(params.user, { ...changes, rights }, people.user(params.user));
    if (people.users().some(({ id, accessKey: key }) => key === user.accessKey && id !== user.id)) {
      throw new ControlError('Another user has this access key');
    }
    people.saveUser(user);
    return user;
  });
}

function changedUser(id: string, changes: Record<string, unknown>, known: User | undefined): User {
  const { name, accessKey, active, rights } = changes;
  const before = known ?? {
    id,
    name: id,
    accessKey: `sandbox-key-${id}`,
    active: true,
    rights: {},
  };
  return {
    id,
    name: textOr(name, before.name),
    accessKey: textOr(accessKey, before.accessKey),
    active: active === undefined ? before.active : active === true,
    rights: (rights as User['rights'] | undefined) ?? before.rights,
  };
}
