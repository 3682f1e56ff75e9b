import type { Part } from '../parts/part';

/**
 * A part's name and ID. The ID keeps labels apart where names are equal, and for AI tools, whose parameter keys are made
 * from labels with every non-ASCII character replaced: two Japanese names could become one key.
 */
export function partLabel(part: Part): string {
  return `${part.name} (${part.id})`;
}
