const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The text of a description, as a reader of the page sees it: without tags, styles, scripts and comments. */
export function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<(style|script)\b[^>]*>.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&([a-z]+);/g, (written, name: string) => characters[name] ?? written)
    .replace(/\s+/gu, ' ')
    .trim();
}
