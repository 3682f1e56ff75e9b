import type { PartDefinition } from './sandboxTypes';

/** Parts of an application that only their names and types tell apart: `{ Name: 'textbox', Price: 'number' }`. */
export const partsOf = (types: Readonly<Record<string, string>>): PartDefinition[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
