import type { Contents } from './fileSteps';
import { valueFields } from './form';
import type { WriteTarget } from './send';
import type { EncodedPart } from '../../parts/encode';

/** The size and name of each file that the values upload. */
export async function contentsOf(
  { context, uploadSource }: Pick<WriteTarget, 'context' | 'uploadSource'>,
  values: readonly EncodedPart[],
): Promise<Contents> {
  const { uploads } = valueFields(values, context.keyMode);
  const names = [...new Set(uploads.map(({ binaryField }) => binaryField))];
  return new Map(await Promise.all(names.map(async (name) => [name, await uploadSource(name)] as const)));
}
