import type { Condition } from '../../parts/conditions/condition';
import {
  holdsPeople,
  NamesRead,
  soughtNames,
  type SoughtName,
  type UnknownName,
} from '../../parts/conditions/namesRead';
import { indexParts, ownIdPart } from '../../parts/model/lookup';
import type { KeyMode, Part } from '../../parts/model/part';
import { settle, type Settled } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { conditionsIn } from './filter';
import { listParts, type RawRecord } from './recordList';

/** What a list is narrowed by: a filter of the service, and conditions that the node checks. */
interface NarrowedList {
  readonly filter?: string | undefined;
  readonly conditions: readonly Condition[];
}

/** How many records are looked at. */
const LOOKED_AT = 1000;

/** The service's operators that compare whole names. */
const BY_WHOLE_NAME: ReadonlySet<string> = new Set(['=', 'contains']);

/**
 * The people and groups by whose names a list was narrowed until it held no record, and whom no record names. The interface
 * has no list of people, so this looks at the newest records, one page of them, and only if the list names somebody.
 */
export async function unknownNames(
  app: ApplicationSession,
  keyMode: KeyMode,
  { filter, conditions }: NarrowedList,
): Promise<readonly UnknownName[]> {
  const { parts } = app.application;
  const sought = [...askedNames(filter, parts), ...soughtNames(conditions)];
  if (sought.length === 0) return [];
  const look = await lookOnce(app, keyMode, [...new Set(sought.map(({ part }) => part))]);
  // The result does not depend on this: what cannot be looked up is not remarked on.
  if ('error' in look) return [];
  const { records, mode } = look.value;
  const names = new NamesRead(sought, mode);
  for (const record of records) names.see(record);
  return names.unknown;
}

/** The names in the conditions that the service checks (interface.md, "list_data"). */
function askedNames(filter: string | undefined, parts: readonly Part[]): readonly SoughtName[] {
  const index = indexParts(parts).byId;
  return conditionsIn(filter).flatMap(({ partId, operator, value, byId }) => {
    const [part] = index.get(partId) ?? [];
    if (part === undefined || !holdsPeople(part) || !BY_WHOLE_NAME.has(operator) || byId) return [];
    const texts = value.split('\t');
    return texts.filter((text) => text !== '').map((text) => ({ part, text }));
  });
}

interface Look {
  readonly records: readonly RawRecord[];
  readonly mode: KeyMode;
}

const looks = new WeakMap<ApplicationSession, Map<string, Promise<Settled<Look>>>>();

/** One look at the same parts serves all items of a run. */
async function lookOnce(
  app: ApplicationSession,
  keyMode: KeyMode,
  parts: readonly Part[],
): Promise<Settled<Look>> {
  const known = looks.get(app) ?? new Map<string, Promise<Settled<Look>>>();
  looks.set(app, known);
  const question = JSON.stringify([keyMode, ...parts.map(({ id }) => id)]);
  const look = known.get(question) ?? settle(async () => await newestRecords(app, keyMode, parts));
  known.set(question, look);
  return await look;
}

async function newestRecords(
  app: ApplicationSession,
  keyMode: KeyMode,
  parts: readonly Part[],
): Promise<Look> {
  // A count needs no key mode, so that of the query may be none that is known.
  const mode = (await app.keyMode()) ?? keyMode;
  const idPart = ownIdPart(app.application.parts);
  const sort = idPart === null ? undefined : ({ part: idPart, order: 'desc' } as const);
  const slice = { offset: 0, limit: LOOKED_AT };
  return { records: await listParts(app, { parts, keyMode: mode, sort }, slice), mode };
}
