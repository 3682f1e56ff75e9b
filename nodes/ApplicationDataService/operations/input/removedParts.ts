import type { ResourceMapperField } from 'n8n-workflow';

import { namePart, PartLookupError, PartValuesError } from '../../parts/model/errors';

/**
 * An error from encoding mapped values, with names for parts that no longer exist: the mapping has only their IDs,
 * which mean nothing to a person, but the fields that the editor showed contain their names.
 * @param fields the mapper's fields as they were saved
 */
export function withNamesOfRemoved(thrown: unknown, fields: readonly ResourceMapperField[]): unknown {
  if (thrown instanceof PartValuesError) {
    const refusals = thrown.refusals.map((refusal) =>
      refusal instanceof PartLookupError ? withNameOfRemoved(refusal, fields) : refusal,
    );
    return new PartValuesError(
      refusals,
      thrown.subjects.map((subject) => nameOf(subject, fields) ?? subject),
    );
  }
  return thrown instanceof PartLookupError ? withNameOfRemoved(thrown, fields) : thrown;
}

function withNameOfRemoved(
  refusal: PartLookupError,
  fields: readonly ResourceMapperField[],
): PartLookupError {
  const { text: id, matches } = refusal;
  const name = nameOf(id, fields);
  if (name === undefined || matches.length > 0) return refusal;
  return new PartLookupError(
    id,
    [],
    `There is no part ${namePart({ id, name })} any more`,
    'The application has changed since the values were mapped. In the node, refresh the list of parts beside "Values to Send", or remove the field.',
  );
}

/** What the field of a part was called. A label is the name, perhaps with the ID, perhaps with the form of the values (editor/labels.ts). */
function nameOf(id: string, fields: readonly ResourceMapperField[]): string | undefined {
  const field = fields.find((candidate) => candidate.id === id);
  return field?.displayName.split(` (${id})`)[0]?.split(' · ')[0];
}
