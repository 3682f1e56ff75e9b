import { chosenParts } from '../parts/choose/chosenParts';
import { codecOf } from '../parts/codecs';
import { namePart } from '../parts/model/errors';
import type { Part } from '../parts/model/part';
import { UserError } from '../util/userError';
import type { QueryContext } from './conditions';
import { LIST_HINT } from './properties';
import { partsSetting, textSetting } from './setting';

export const keyword = textSetting({
  displayName: 'Keyword',
  name: 'keyword',
  type: 'string',
  default: '',
  description:
    'Return only records in which the service finds this text. The application can limit where it looks. It does not search numbers, dates and times.',
});

export const keywordParts = partsSetting({
  displayName: 'Keyword Part Names or IDs',
  name: 'keywordParts',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getKeywordParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  default: [],
  description:
    'Parts to search for the keyword, in addition to the returned parts, which the service always searches. If empty, all parts. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/**
 * Counting returns no parts: besides the chosen parts, only those are searched that the node reads to check filters.
 */
export const countKeywordParts = partsSetting({
  ...keywordParts.property,
  description:
    'Parts to search for the keyword, in addition to those of filters that the node itself checks. If empty, all parts. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/**
 * The parts that may be searched by keyword, or those of them that were chosen.
 * @throws UserError for a part that the service does not search (service-facts, "Keyword and sort").
 */
export function searchedParts(choice: unknown, context: QueryContext): readonly Part[] {
  const chosen = chosenParts(context.parts, choice, context.keyMode);
  if (chosen.length === 0) return context.parts.filter((part) => codecOf(part).searchable);
  for (const part of chosen) {
    if (codecOf(part).searchable) continue;
    throw new UserError(
      `Part ${namePart(part)} cannot be searched by keyword: the service does not look into parts of type ${part.type}`,
      'Select other keyword parts, or use a filter for this part.',
    );
  }
  return chosen;
}
