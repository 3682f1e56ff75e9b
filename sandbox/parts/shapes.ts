import type { Dialect } from '../settings/switches.ts';

/** The `item` of an inner container (files, people, rows, parts), in the shape the dialect asks for. */
export function itemsOf(items: readonly unknown[], dialect: Dialect): Record<string, unknown> {
  if (items.length === 1 && dialect.singleItem === 'object') return { item: items[0] };
  if (items.length > 0 || dialect.emptyInner === 'array') return { item: items };
  return dialect.emptyInner === 'noItem' ? {} : { item: '' };
}

/** The `val` of a part that contains a container, e.g. `{ attach: { item: [...] } }`. */
export function container(name: string, items: readonly unknown[], dialect: Dialect): unknown {
  if (items.length === 0 && dialect.emptyInner === 'noValue') return '';
  return { [name]: itemsOf(items, dialect) };
}

/** An id as the dialect writes it. */
export function idOf(id: number | string, dialect: Dialect): string | number {
  if (dialect.ids === 'string') return String(id);
  const number = Number(id);
  return id === '' || Number.isNaN(number) ? String(id) : number;
}

/** A count, a revision or a size as the dialect writes it. */
export function countOf(count: number, dialect: Dialect): string | number {
  return dialect.counts === 'string' ? String(count) : count;
}

/** A flag of the interface. */
export function flag(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off';
}
