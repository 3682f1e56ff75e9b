/** Where the hash of a text begins (FNV-1a). Two hashes from different starts together tell more texts apart. */
const USUAL_START = 0x811c9dc5;

/** 32-bit FNV-1a hash of a text's UTF-16 code units. Never 0. */
export function hashText(text: string, start = USUAL_START): number {
  let hash = start;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}
