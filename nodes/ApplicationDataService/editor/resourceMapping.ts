import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { codecOf } from '../parts/codecs';
import type { Part } from '../parts/model/part';
import { isWritable } from '../parts/writable';
import { chosenApplication, withService } from './withService';
import { fieldLabels } from './labels';

/** Types whose values cannot identify a record. */
const NO_MATCH: ReadonlySet<string> = new Set(['files', 'input_list']);

/**
 * The parts of the chosen application that can be written, one field each. Ids are part IDs: a renamed part keeps its
 * mapping.
 */
export async function getPartFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    if (application === null) {
      return {
        fields: [],
        // n8n keeps showing it under Map Automatically after a selection, so it must be true then, too.
        emptyFieldsNotice:
          'The parts appear here once an application is selected from the list. Map Automatically works without them.',
      };
    }
    return mapperFields(
      application.parts,
      `The application "${application.name}" has no parts that can be written.`,
    );
  });
}

/**
 * A field for each part that can be written.
 * @param notice shown if there is none. n8n would show it under Map Automatically even if there are fields.
 */
export function mapperFields(parts: readonly Part[], notice: string): ResourceMapperFields {
  const fields = [...fieldLabels(parts.filter(isWritable))].map(([part, label]) => partField(part, label));
  return fields.length === 0 ? { fields, emptyFieldsNotice: notice } : { fields };
}

/** To take a choice back. n8n itself refuses an emptied list whose choices do not include the empty one. */
const NOT_SENT = { name: '(Not Sent)', value: '' };

function partField(part: Part, displayName: string): ResourceMapperField {
  const { editor } = codecOf(part);
  const isChoice = editor === 'options' && !part.allowOther && part.options.length > 0;
  return {
    id: part.id,
    displayName,
    required: false,
    defaultMatch: false,
    canBeUsedToMatch: !NO_MATCH.has(part.type),
    display: true,
    type: isChoice ? 'options' : 'string',
    ...(isChoice && {
      options: [NOT_SENT, ...part.options.map((option) => ({ name: option, value: option }))],
    }),
  };
}
