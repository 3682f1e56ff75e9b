import type { INodeParameters } from 'n8n-workflow';

/** Saved parameters of a write: values of the mapper by part name. */
export function mapped(
  values: Readonly<Record<string, string>>,
  matchingColumns: readonly string[] = [],
): INodeParameters {
  return { mappingMode: 'defineBelow', value: values, matchingColumns: [...matchingColumns], schema: [] };
}

/** Expression for a key of the item's json. */
export function fromItem(key: string): string {
  return `={{ $json.${key} }}`;
}
