import type { FastifyInstance } from 'fastify';
import { labelColors } from '../storage/labels.ts';
import type { User } from '../storage/people.ts';
import { ControlError, objectOf, textOr } from './body.ts';
import type { Controlled } from './controlled.ts';
import { readRights } from './rights.ts';

/** Users with their keys and rights, groups, labels. */
export function addPeopleControl(app: FastifyInstance, { service }: Controlled): void {
  const { people, labels, applications } = service.storage;
  app.get('/users', () => people.users());
  app.get('/groups', () => people.groups());
  app.get('/labels', () => labels.all());
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
  app.put<{ Params: { group: string } }>('/groups/:group', ({ params, body }) => {
    people.saveGroup(params.group, nameOf(objectOf(body)));
    return { id: params.group, name: people.groupName(params.group) };
  });
  app.put('/labels', ({ body }) => {
    const { color = 'gray', parent, ...rest } = objectOf(body);
    const name = nameOf(rest);
    const known = labelColors.find((one) => one === color);
    if (!known) throw new ControlError(`The color of a label must be one of: ${labelColors.join(', ')}`);
    const above = parent === undefined || parent === null ? undefined : labels.byName(textOr(parent, ''));
    if (!above && parent !== undefined && parent !== null) {
      throw new ControlError(`There is no label "${textOr(parent, '')}"`);
    }
    labels.save(name, known, above?.id ?? null);
    return labels.byName(name);
  });
}

function nameOf({ name }: Record<string, unknown>): string {
  const text = textOr(name, '');
  if (text === '') throw new ControlError('The name is missing');
  return text;
}

function changedUser(id: string, changes: Record<string, unknown>, known: User | undefined): User {
  const { name, accessKey, active, groups, rights } = changes;
  const before = known ?? {
    id,
    name: id,
    accessKey: `sandbox-key-${id}`,
    active: true,
    groups: [],
    rights: {},
  };
  return {
    id,
    name: textOr(name, before.name),
    accessKey: textOr(accessKey, before.accessKey),
    active: active === undefined ? before.active : active === true,
    groups: Array.isArray(groups) ? groups.map(String) : before.groups,
    rights: (rights as User['rights'] | undefined) ?? before.rights,
  };
}
