import type { Call } from '../call/call.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import type { Part } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';

/** What the parameter `fields` names (interface.md, "list_data"). */
export interface Fields {
  readonly parts: readonly Part[];
  readonly revision: boolean;
}

/**
 * Reads `fields`: a JSON array of objects, each with `field_name` or `field_alias`. The name `revision` asks for
 * the revision. Undefined when it was not sent or names nothing.
 * @throws {@link ServiceError}
 */
export function readFields(call: Call, application: Application): Fields | undefined {
  const fields = call.parameters.json('fields');
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) throw invalid('is a JSON array');
  if (fields.length === 0) return undefined;
  const parts = new Set<Part>();
  let revision = false;
  for (const field of fields) {
    const { field_name: name, field_alias: alias } = (field ?? {}) as Record<string, unknown>;
    if ((name ?? alias) === 'revision') revision = true;
    else parts.add(namedPart(application, name, alias));
  }
  return { parts: [...parts], revision };
}

/** A part that does not exist refuses the whole list. */
function namedPart(application: Application, name: unknown, alias: unknown): Part {
  const [parameter, key, value] =
    typeof name === 'string' && name !== ''
      ? (['field_name', 'name', name] as const)
      : (['field_alias', 'identifier', alias] as const);
  if (typeof value !== 'string' || value === '')
    throw invalid('holds objects with field_name or field_alias');
  const part = application.parts.find((one) => one[key] === value);
  if (part) return part;
  const text = `The parameter fields names no part: ${parameter} "${value}"`;
  throw new ServiceError('unknownField', text, value);
}

function invalid(what: string): ServiceError {
  return wrongParameter('fields', `is wrong: it ${what}`);
}
