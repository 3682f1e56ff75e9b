import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { RawRecord } from '../../service/records';
import type { Change } from '../poll/settings';
import type { Watch } from '../source/watch';
import { changePresenter } from './present';

/** Changes as n8n's items. */
export async function changeItems(
  _context: IPollFunctions,
  _client: ServiceClient,
  watch: Watch,
  options: IDataObject,
  changes: readonly Change<RawRecord>[],
): Promise<INodeExecutionData[]> {
  const present = changePresenter(watch, options);
  return await Promise.resolve(changes.map((change) => ({ json: present(change) })));
}
