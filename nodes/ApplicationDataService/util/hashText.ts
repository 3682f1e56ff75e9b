/** 32-bit FNV-1a hash of a text's UTF-16 code units. Never 0. Two from different starts tell more texts apart. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}

/** A hash by which the writes of one run are told apart: nearly 64 bits. */
export function longHash(text: string): string {
  return [hashText(text), hashText(text, 0x9e3779b9)].map((hash) => hash.toString(36)).join('');
}
