import type { IDataObject } from 'n8n-workflow';

import { keepBinary } from '../../common/presentation';
import type { KeyMode } from '../../parts/model/part';
import { readText } from '../../parts/values/shapes';
import type { ApplicationSession } from '../../service/application/session';
import { fetchFilesOfRecords } from '../../service/read/attachments';
import type { Item } from '../run/item';
import type { OutputItem } from '../run/types';

export interface ReadRecord {
  readonly json: IDataObject;
  readonly simplify: () => IDataObject;
}

/** Records as output items, with their attachments as binary fields where the option asks for them. */
export async function withAttachments(
  item: Item,
  app: ApplicationSession,
  records: readonly ReadRecord[],
  keyMode: KeyMode | null,
): Promise<OutputItem[]> {
  const binaries = await fetchFilesOfRecords(
    app,
    records.map(({ simplify }) => {
      const json = simplify();
      return { id: readText(json.id), json };
    }),
    keyMode,
    keepBinary(item.run.context),
    item.run.context.getExecutionCancelSignal(),
  );
  return records.map(({ json }, index) => {
    const binary = binaries[index] ?? {};
    return Object.keys(binary).length > 0 ? { json, binary } : { json };
  });
}
