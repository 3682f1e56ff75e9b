import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { ServiceError } from '../http/errors';
import type { ExportFormat } from './exportFormat';
import type { RawRecord } from './recordList';

/** Records in a chunk: the text of no more than this is in memory at once. */
const CHUNK_LENGTH = 500;

/** What an export came to; grows while it runs. */
export interface ExportTally {
  count: number;
  /** Values that the service did not return, e.g. `Price (unauthorized)`. */
  readonly errors: Set<string>;
}

/** What an export is made of. */
export interface ExportOptions {
  readonly present: (record: RawRecord) => IDataObject;
  readonly format: ExportFormat;
  readonly tally: ExportTally;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Records as the bytes of a file, chunk by chunk: nothing is kept of the pages before.
 * @throws ServiceError `cancelled` once the signal is aborted.
 */
export async function* exportChunks(
  pages: AsyncIterable<readonly RawRecord[]>,
  options: ExportOptions,
): AsyncGenerator<Buffer> {
  const { format, signal } = options;
  if (format.head !== '') yield Buffer.from(format.head);
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += CHUNK_LENGTH) {
      if (signal?.aborted === true) {
        throw new ServiceError('cancelled', 'The execution was cancelled', 'No file was made.');
      }
      yield Buffer.from(textOf(page.slice(start, start + CHUNK_LENGTH), options));
    }
  }
}

function textOf(records: readonly RawRecord[], { present, format, tally }: ExportOptions): string {
  let text = '';
  for (const raw of records) {
    const record = present(raw);
    text += format.line(record);
    noteErrors(record, tally);
  }
  tally.count += records.length;
  return text;
}

function noteErrors({ partErrors }: IDataObject, { errors }: ExportTally): void {
  if (!isObject(partErrors)) return;
  for (const [key, error] of Object.entries(partErrors)) errors.add(`${key} (${readText(error)})`);
}
