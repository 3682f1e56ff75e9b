import { UserError } from '../../util/userError';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { FormOptions } from '../../service/write/form';
import type { PartChoice } from '../../common/setting';
import type { ApplicationSession } from '../../service/application/session';
import type { EncodedPart } from '../../parts/encode';

/** The options that are sent along. */
export interface SentOptions {
  readonly autoAction: boolean;
  readonly relookupKeyParts?: PartChoice;
}

/**
 * What an insert or update sends in addition to the values.
 * @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data").
 */
export function formOptions(
  app: ApplicationSession,
  values: readonly EncodedPart[],
  { autoAction, relookupKeyParts }: SentOptions,
): FormOptions {
  const keyParts = chosenParts(app.application.parts, relookupKeyParts);
  const missing = keyParts.find(
    (part) => !values.some((sent) => sent.part === part && sent.value.kind !== 'keep'),
  );
  if (missing !== undefined) {
    throw new UserError(
      `The lookup key part "${missing.name}" has no value in this item`,
      'The service needs its value to copy values. Map a value to this part, or remove it from the lookup key parts.',
    );
  }
  return { autoAction, relookupKeyParts: keyParts.map((part) => part.id) };
}
