/**
 * A file name as it may be given to a program that writes it to a disk: without folders, control characters and marks that
 * turn the direction of writing. Never empty.
 * @param id stands in for a name of which nothing is left.
 */
export function cleanFileName(name: string, id: string): string {
  const base = name.split(/[/\\]/).pop() ?? '';
  const clean = base.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return /^\.*$/.test(clean) ? `attachment-${id}` : clean;
}
