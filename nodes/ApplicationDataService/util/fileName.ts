/**
 * A file name that is safe to write to a disk: without folders, control characters and marks that
 * change the direction of writing. Never empty.
 * @param id used if nothing is left of the name.
 */
export function cleanFileName(name: string, id: string): string {
  const base = name.split(/[/\\]/).pop() ?? '';
  const clean = base.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return /^\.*$/.test(clean) ? `attachment-${id}` : clean;
}
