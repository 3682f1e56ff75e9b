import type { Part } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';

/** A part's key; undefined if it has none, so that it is left out of answers. */
export function keyOf(part: Part, byIdentifier: boolean): string | undefined {
  return byIdentifier ? part.identifier || undefined : part.name;
}

/** Finds the part with a key. */
export function partByKey(parts: readonly Part[], key: string, byIdentifier: boolean): Part | undefined {
  return parts.find((part) => keyOf(part, byIdentifier) === key);
}

/** A part of an application by its id, children of table parts included. */
export function findPart(application: Application, id: number): Part | undefined {
  for (const part of application.parts) {
    if (part.id === id) return part;
    const child = part.type === 'input_list' ? part.children.find((one) => one.id === id) : undefined;
    if (child) return child;
  }
  return undefined;
}

/** The table part that contains a part. */
export function tableOf(application: Application, child: Part): Part | undefined {
  return application.parts.find((part) => part.type === 'input_list' && part.children.includes(child));
}
