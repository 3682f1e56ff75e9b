import type { Call } from '../call/call.ts';
import { ServiceError } from '../call/refusals.ts';
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

function namedPart(application: Application, name: unknown, alias: unknown): Part {
  if (typeof name === 'string' && name !== '') {
    const part = application.parts.find((one) => one.name === name);
    if (part) return part;
    throw new ServiceError('unknownPart', `The parameter fields names no part: field_name "${name}"`, name);
  }
  if (typeof alias === 'string' && alias !== '') {
    const part = application.parts.find((one) => one.identifier === alias);
    if (part) return part;
    throw new ServiceError(
      'unknownPart',
      `The parameter fields names no part: field_alias "${alias}"`,
      alias,
    );
  }
  throw invalid('holds objects with field_name or field_alias');
}

function invalid(what: string): ServiceError {
  return new ServiceError('invalidParameter', `The parameter fields is wrong: it ${what}`);
}
