/**
 * Messages number items as n8n does beside them, "[item 0]", and as `$itemIndex` does in expressions. What they number
 * in another way (filters, rows) counts from 1 and is not called an item.
 */
export const COUNTED_FROM_ZERO = 'As everywhere in n8n, the first item is item 0.';
