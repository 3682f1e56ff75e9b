import type { IDataObject } from 'n8n-workflow';

import { readText } from '../parts/wire';
import { isObject } from '../parts/shapes';
import { ServiceError } from './errors';
import type { ExportFormat } from './exportFormat';

/** What an export came to; grows while it runs. */
export interface ExportTally {
  count: number;
  /** Values that the service did not give, e.g. `Price (unauthorized)`. */
  readonly errors: Set<string>;
}

/**
 * Records as the bytes of a file, one chunk a page: nothing is kept of the pages before.
 * @throws ServiceError `cancelled` between pages once `signal` is aborted.
 */
export async function* exportChunks(
  pages: AsyncIterable<readonly IDataObject[]>,
  format: ExportFormat,
  tally: ExportTally,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (format.head !== '') yield Buffer.from(format.head);
  for await (const page of pages) {
    if (signal?.aborted === true) {
      throw new ServiceError('cancelled', 'The execution was cancelled', 'No file was made.');
    }
    let text = '';
    for (const record of page) {
      text += format.line(record);
      noteErrors(record, tally);
    }
    tally.count += page.length;
    yield Buffer.from(text);
  }
}

function noteErrors({ partErrors }: IDataObject, { errors }: ExportTally): void {
  if (!isObject(partErrors)) return;
  for (const [key, error] of Object.entries(partErrors)) errors.add(`${key} (${readText(error)})`);
}
