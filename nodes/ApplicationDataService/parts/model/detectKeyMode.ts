import { indexParts } from './lookup';
import type { KeyMode, Part } from './part';

/**
 * Whether the application keys its parts by name or by identifier, found out from a record's keys (design.md, "Which
 * key names a part"). `null` if they do not tell: no record, no key that is only a name or only an identifier, or
 * keys of both kinds. If no part has an identifier, it can only be the name.
 */
export function detectKeyMode(rawRecord: unknown, parts: readonly Part[]): KeyMode | null {
  const { byName, byIdentifier } = indexParts(parts);
  if (byIdentifier.size === 0) return 'name';
  const keys = typeof rawRecord === 'object' && rawRecord !== null ? Object.keys(rawRecord) : [];
  let found: KeyMode | null = null;
  for (const key of keys) {
    if (key === 'revision' || byName.has(key) === byIdentifier.has(key)) continue;
    const mode: KeyMode = byName.has(key) ? 'name' : 'identifier';
    if (found !== null && found !== mode) return null;
    found = mode;
  }
  return found ?? (sameEitherWay(parts) ? 'name' : null);
}

/** Every part's identifier is its name: both modes use the same keys. */
function sameEitherWay(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every((part) => part.identifier === part.name);
}
