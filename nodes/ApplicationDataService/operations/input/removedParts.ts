import type { ResourceMapperField } from 'n8n-workflow';

import { namePart, PartLookupError, PartValuesError } from '../../parts/model/errors';

/**
 * An error from encoding mapped values, with names for parts that no longer exist: the mapping has only their IDs,
 * which mean nothing to a person, but the fields that the editor showed contain their names.
 * @param fields the mapper's fields as they were saved
 */
export function withNamesOfRemoved(thrown: unknown, fields: readonly ResourceMapperField[]): unknown {
  if (thrown instanceof PartValuesError) {
    return new PartValuesError(
      thrown.refusals.map((refusal) =>
        refusal instanceof PartLookupError ? withNameOfRemoved(refusal, fields) : refusal,
      ),
    );
  }
  return thrown instanceof PartLookupError ? withNameOfRemoved(thrown, fields) : thrown;
}

function withNameOfRemoved(
  refusal: PartLookupError,
  fields: readonly ResourceMapperField[],
): PartLookupError {
  const { text: id, matches } = refusal;
  const field = fields.find((candidate) => candidate.id === id);
  // A label is the name, perhaps with the ID, perhaps with the form of the values (editor/labels.ts).
  const name = field?.displayName.split(` (${id})`)[0]?.split(' · ')[0];
  if (name === undefined || matches.length > 0) return refusal;
  return new PartLookupError(
    id,
    [],
    `There is no part ${namePart({ id, name })} any more`,
    'The application has changed since the values were mapped. In the node, refresh the list of parts beside "Values to Send", or remove the field.',
  );
}
