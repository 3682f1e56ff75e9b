import { UserError } from '../../util/userError';
import type { KeyMode, Part, PartCodec } from '../model/part';
import { namePart } from '../model/errors';
import { partKey } from '../model/keys';
import { describeList } from '../values/describe';
import { readOneText } from './plain';

export const id: PartCodec = {
  label: 'ID',
  read: ({ val }) => readOneText(val),
  accepts: 'nothing: the service assigns it',
  sortable: true,
  filterable: true,
  compares: 'number',
  content: 'id',
};

/** The part with a record's or a row's own ID (service-facts, "Record id"); `null` if none, or several, can be it. */
export function ownIdPart(parts: readonly Part[]): Part | null {
  const [part = null, ...others] = idCandidates(parts);
  return others.length === 0 ? part : null;
}

function idCandidates(parts: readonly Part[]): readonly Part[] {
  const own = parts.filter((part) => part.codec.content === 'id' && !part.reference);
  const system = own.filter((part) => part.system);
  return own.length > 1 && system.length > 0 ? system : own;
}

/** The part with a record's ID that lists show. @throws UserError if none, or several, can be it, or it has no key */
export function listedIdPart(parts: readonly Part[], mode: KeyMode): Part {
  const [part, ...others] = idCandidates(parts);
  if (part === undefined)
    throw new UserError(
      'The application shows no ID part of its own, so lists contain no record IDs',
      "Make the ID part readable for this access key in the application's settings.",
    );
  if (others.length > 0)
    throw new UserError(
      `Several parts could be the record's id: ${describeList([part, ...others].map(namePart))}`,
      'Leave only one part of type ID in the application that is not a reference part.',
    );
  if (partKey(part, mode) !== '') return part;
  const message = `The ID part ${namePart(part)} has no part identifier, so this application's lists contain no record IDs`;
  throw new UserError(message, "Give the ID part an identifier in the application's settings.");
}
