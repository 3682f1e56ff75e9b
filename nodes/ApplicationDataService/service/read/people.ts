import type { IDataObject } from 'n8n-workflow';

import type { KeyMode, MemberKind, Part } from '../../parts/model/part';
import { outputKey, partKey } from '../../parts/model/keys';
import { recordReader } from '../../parts/record';
import { isObject, ownValue, readText } from '../../parts/values/shapes';
import type { ApplicationSession } from '../application/session';
import { countRecords, readPages } from './recordList';

/** Keys of a user under which services give an e-mail; the interface does not name it. */
const E_MAIL_KEY = /^(e[-_]?)?mail([-_]?addr(ess)?)?\d*$/i;
/** The IDs of each name and e-mail, and how many records were read for them. */
type Names = Readonly<Record<MemberKind, ReadonlyMap<string, ReadonlySet<string>>>> & {
  readonly records: number;
};
/** What was read in a run, also that it failed: thousands of items ask for it. */
const namesRead = new WeakMap<ApplicationSession, Promise<Names | null>>();

/** Reading more of them would hold up the service's one queue for whoever works with it. */
const MAX_RECORDS_FOR_NAMES = 50_000;
export const NAMES_NOT_READ = `Names are looked up in applications of up to ${MAX_RECORDS_FOR_NAMES.toLocaleString('en')} records only. Enter the ID.`;

/**
 * Names and e-mails in all records, read once in a run, and whole: a record not read may give a name to another.
 * @returns `null` where there are too many records.
 */
export async function readNames(app: ApplicationSession): Promise<Names | null> {
  const names = namesRead.get(app) ?? readAllNames(app);
  namesRead.set(app, names);
  return await names;
}

async function readAllNames(app: ApplicationSession): Promise<Names | null> {
  const count = await countRecords(app);
  if (count > MAX_RECORDS_FOR_NAMES) return null;
  const keyMode = await app.readListMode();
  const parts = app.application.parts.filter((part) =>
    [part, ...part.children].some((each) => each.codec.members !== undefined),
  );
  const names = { users: new Map<string, Set<string>>(), groups: new Map<string, Set<string>>() };
  const read = recordReader(app.application.parts, { keyMode, referenceListsLoaded: false });
  let records = 0;
  for await (const page of readPages(app, { parts, keyMode, isProof: true })) {
    records += page.length;
    for (const record of page) collect(read(record), parts, keyMode, names);
  }
  return { ...names, records };
}

function collect(
  entry: IDataObject,
  parts: readonly Part[],
  keyMode: KeyMode,
  names: Record<MemberKind, Map<string, Set<string>>>,
): void {
  for (const part of parts) {
    const value = ownValue(entry, outputKey(partKey(part, keyMode)));
    if (!Array.isArray(value)) continue;
    const kind = part.codec.members;
    for (const each of (value as unknown[]).filter(isObject)) {
      const id = readText(each.id);
      if (kind === undefined) collect(each as IDataObject, part.children, keyMode, names);
      if (kind === undefined || id === '') continue;
      const mails = Object.keys(each).filter(
        (key) => E_MAIL_KEY.test(key) && readText(each[key]).includes('@'),
      );
      for (const text of ['name', ...mails].map((key) => readText(each[key])))
        if (text !== '') names[kind].set(text, (names[kind].get(text) ?? new Set()).add(id));
    }
  }
}
