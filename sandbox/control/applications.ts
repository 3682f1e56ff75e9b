import type { FastifyInstance } from 'fastify';
import { buildPart, labelId } from '../definitions/build.ts';
import {
  DefinitionError,
  type ApplicationDefinition,
  type PartDefinition,
  type RecordDefinition,
} from '../definitions/definition.ts';
import { linkParts, named } from '../definitions/link.ts';
import { naturalRecord } from '../definitions/natural.ts';
import { changeRecord, storeApplication, storeRecords } from '../definitions/store.ts';
import { applicationStatuses, type Application } from '../storage/applications.ts';
import { objectOf, textOr } from './body.ts';
import type { Controlled } from './controlled.ts';
import { readNotification } from './notifications.ts';

interface OfApplication {
  Params: { application: string; record: string };
  Querystring: { offset?: string; limit?: string; order?: string };
}

/** Applications and their records, straight from storage. */
export function addApplicationControl(app: FastifyInstance, sandbox: Controlled): void {
  const { storage, workbench } = sandbox.service;
  const find = (name: string): Application => {
    const application = storage.applications.find(name) ?? storage.applications.find(`@${name}`);
    if (application) return application;
    throw new DefinitionError(`There is no application "${name}"`);
  };

  app.get('/applications', () =>
    storage.applications.all().map((application) => ({
      ...summaryOf(application),
      records: storage.records.count(application.id),
      version: storage.applications.version(application.id),
    })),
  );
  app.post('/applications', async (request) => {
    const definition = objectOf(request.body) as unknown as ApplicationDefinition;
    const { application, records } = await storeApplication(
      { ...definition, parts: definition.parts ?? [] },
      workbench,
    );
    return { ...summaryOf(application), records: records.map(String) };
  });
  app.get<OfApplication>('/applications/:application', ({ params }) => find(params.application));
  app.patch<OfApplication>('/applications/:application', ({ params, body }) => {
    const application = find(params.application);
    storage.transaction(() => {
      changeApplication(application, objectOf(body), sandbox);
      storage.applications.save(application);
    });
    return summaryOf(application);
  });
  app.delete<OfApplication>('/applications/:application', ({ params }) => {
    const { id } = find(params.application);
    storage.transaction(() => storage.removeApplication(id));
    return { removed: String(id) };
  });

  app.get<OfApplication>('/applications/:application/records', ({ params, query }) => {
    const application = find(params.application);
    const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? 5000)];
    const first =
      query.order === 'last' ? Math.max(0, storage.records.count(application.id) - offset - limit) : offset;
    return storage.records
      .page(application.id, first, limit)
      .map((record) => naturalRecord(application, record));
  });
  app.post<OfApplication>('/applications/:application/records', async ({ params, body }) => {
    const application = find(params.application);
    const { records, as } = objectOf(body);
    const ids = await storeRecords(
      records as RecordDefinition[],
      application,
      workbench,
      textOr(as, application.creator),
    );
    return ids.map(String);
  });
  app.patch<OfApplication>('/applications/:application/records/:record', async ({ params, body }) => {
    const application = find(params.application);
    const { values, as, quietly } = objectOf(body);
    const id = Number(params.record);
    await changeRecord(values as RecordDefinition, application, id, workbench, {
      userId: textOr(as, application.creator),
      quietly: quietly === true,
    });
    const record = storage.records.get(application.id, id);
    return record && naturalRecord(application, record);
  });
  app.delete<OfApplication>('/applications/:application/records/:record', ({ params }) => {
    const { id } = find(params.application);
    storage.transaction(() => {
      storage.records.delete(id, [Number(params.record)]);
      storage.files.removeOf(id, [Number(params.record)]);
    });
    return { removed: params.record };
  });
}

/** Ids, with those of the parts by name; of a child part under `Table.Child`. */
function summaryOf(application: Application) {
  const { id, name, identifier, status, partIdentifierMode } = application;
  const parts: Record<string, string> = {};
  for (const part of application.parts) {
    parts[part.name] = String(part.id);
    for (const child of part.children) parts[`${part.name}.${child.name}`] = String(child.id);
  }
  return { id: String(id), name, identifier, status, partIdentifierMode, parts };
}

const changeableParts = ['name', 'identifier', 'readonly', 'required', 'options', 'allowOther'] as const;

function changeApplication(
  application: Application,
  changes: Record<string, unknown>,
  { service }: Controlled,
): void {
  const { name, status, partIdentifierMode, keywordParts, parts, addParts, removeParts } = changes;
  if (name !== undefined) application.name = textOr(name, '');
  if (status !== undefined) {
    const known = applicationStatuses.find((one) => one === status);
    if (!known) throw new DefinitionError(`"status" must be one of: ${applicationStatuses.join(', ')}`);
    application.status = known;
  }
  if (partIdentifierMode !== undefined) application.partIdentifierMode = partIdentifierMode === true;
  if (Array.isArray(changes.labels)) {
    application.labels = changes.labels.map((label) => labelId(String(label)));
  }
  if (changes.notification !== undefined) {
    application.notification = readNotification(changes.notification);
  }
  for (const [part, change] of Object.entries((parts ?? {}) as Record<string, Record<string, unknown>>)) {
    const target = named(application, part);
    for (const key of changeableParts) {
      const value = change[key];
      if (value !== undefined) Object.assign(target, { [key]: value });
    }
  }
  if (Array.isArray(addParts)) {
    const definitions = addParts as PartDefinition[];
    application.parts.push(...definitions.map((part) => buildPart(part, application)));
    linkParts(definitions, application, service.storage);
  }
  if (Array.isArray(removeParts)) {
    const removed = new Set(removeParts.map((part) => named(application, String(part))));
    application.parts = application.parts.filter((part) => !removed.has(part));
  }
  if (Array.isArray(keywordParts)) {
    application.keywordParts = keywordParts.map((part) => named(application, String(part)).id);
  }
}
