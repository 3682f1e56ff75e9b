import type { IBinaryData } from 'n8n-workflow';

import type { KeepFile } from '../../service/read/download';
import type { Item } from '../run/item';

/** Keeps downloaded files in n8n's binary store. */
export function keepBinary({ run }: Item): KeepFile<IBinaryData> {
  return async (content, fileName, mimeType) =>
    await run.context.helpers.prepareBinaryData(content, fileName, mimeType);
}
