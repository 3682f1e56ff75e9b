import type { Part, Values } from '../../parts/part.ts';
import { kindOf } from '../../parts/kinds.ts';
import type { User } from '../../storage/people.ts';
import type { Workbench } from '../workbench.ts';
import { findPart } from '../read/keys.ts';

/**
 * Copies values into the copy parts of key parts (`relookup_key_field`), from the first record that the key finds and
 * the caller may read. A key that finds no record empties its copies. If the caller may not read the other application,
 * the copies keep their values.
 */
export function copyLookups(
  workbench: Workbench,
  user: User,
  keyParts: readonly Part[],
  values: Values,
): void {
  const { storage } = workbench;
  const resolver = workbench.resolver(user);
  for (const keyPart of keyParts) {
    const { lookup } = keyPart;
    const source = lookup && storage.applications.get(lookup.application);
    if (!lookup || !source || !resolver.access(source).enters) continue;
    const [text = ''] = kindOf(keyPart).texts(values[keyPart.id], storage.people);
    const access = resolver.access(source);
    const record = workbench
      .findByText(lookup.application, lookup.match, text)
      .map((id) => storage.records.get(source.id, id))
      .find((found) => found !== undefined && access.reads(found));
    for (const { from, to } of lookup.copies) {
      const part = findPart(source, from);
      values[to] = record && part ? resolver.resolve(source, part, { record }).value : undefined;
    }
  }
}
