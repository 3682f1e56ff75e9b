import type { Link, Part } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { Storage } from '../storage/storage.ts';
import { DefinitionError, type LinkDefinition, type PartDefinition } from './definition.ts';

/** An application that does not exist: what refers to it has a reference error. */
const nowhere = 0;

/** Adds everything that refers to other parts, now that all parts exist. */
export function linkParts(
  definitions: readonly PartDefinition[],
  application: Application,
  storage: Storage,
): void {
  for (const definition of definitions) {
    const part = named(application, definition.name);
    linkPart(part, definition, application, application.parts, storage);
    for (const child of definition.children ?? []) {
      const childPart = part.children.find(({ name }) => name === child.name);
      if (!childPart) throw new DefinitionError(`There is no part "${child.name}" in "${part.name}"`);
      if (part.type === 'rel_list') {
        childPart.sourcePart = other(
          definition.relation?.application,
          child.source ?? child.name,
          storage,
        ).part;
      } else {
        linkPart(childPart, child, application, [...part.children, ...application.parts], storage);
      }
    }
  }
}

function linkPart(
  part: Part,
  { reference, relation, lookup }: PartDefinition,
  application: Application,
  reachable: readonly Part[],
  storage: Storage,
): void {
  if (part.type === 'reference') {
    if (!reference) throw new DefinitionError(`The reference part "${part.name}" has no reference`);
    const shown = other(reference.application, reference.part, storage).part;
    part.source = { ...link(reference, reachable, storage), part: shown };
  }
  if (part.type === 'rel_list') {
    if (!relation) throw new DefinitionError(`The reference list "${part.name}" has no relation`);
    part.relation = link(relation, reachable, storage);
  }
  if (lookup) {
    const { application: id, part: match } = other(lookup.application, lookup.match, storage);
    const copies = Object.entries(lookup.copies).map(([from, to]) => ({
      from: other(lookup.application, from, storage).part,
      to: named(application, to).id,
    }));
    part.lookup = { application: id, key: part.id, match, copies };
  }
}

function link(
  { application, key, match }: LinkDefinition,
  reachable: readonly Part[],
  storage: Storage,
): Link {
  const keyPart = reachable.find(({ name }) => name === key);
  if (!keyPart) throw new DefinitionError(`There is no part "${key}"`);
  const found = other(application, match, storage);
  return { application: found.application, key: keyPart.id, match: found.part };
}

/** A part of another application. One that does not exist is a reference error later, not one now. */
function other(
  name: string | undefined,
  part: string,
  storage: Storage,
): { application: number; part: number } {
  const application = storage.applications.find(name ?? '') ?? storage.applications.find(`@${name ?? ''}`);
  if (!application) return { application: nowhere, part: nowhere };
  return {
    application: application.id,
    part: application.parts.find((one) => one.name === part)?.id ?? nowhere,
  };
}

/** A part by name, or by id; else a child part. */
export function named(application: Application, name: string): Part {
  const { parts } = application;
  const all = [...parts, ...parts.flatMap(({ children }) => children)];
  const part = all.find((one) => one.name === name) ?? all.find((one) => String(one.id) === name);
  if (part) return part;
  throw new DefinitionError(`There is no part "${name}"`);
}
