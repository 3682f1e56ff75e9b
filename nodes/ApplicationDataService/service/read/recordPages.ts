import { partKey } from '../../parts/model/keys';
import { listedIdPart, ownIdPart } from '../../parts/types/id';
import { assertRunning } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { pagesOf, type PageTerms } from './paging';
import { listParts, type ListQuery, type RawRecord } from './recordList';
import { countRecords, readId, withoutId } from './records';

/** What to read of an application's records, and how. */
export interface RecordQuery extends ListQuery, PageTerms {}

/**
 * Reads the records that a query names, page by page, each once. With `isProof` that is a proof of what is not among
 * them, once it has come to its end: a count asked afterwards is not more than was read, and the application, asked
 * after that, is running. Who has found what it looks for may stop before.
 * @throws UserError for a proof, if the application's lists carry no record IDs.
 * @throws ServiceError for a proof, if it is not known that all was read, or the application is not running.
 */
export async function* readPages(app: ApplicationSession, query: RecordQuery): AsyncGenerator<RawRecord[]> {
  const { keyMode, isProof = false } = query;
  const { parts } = app.application;
  const idPart = isProof ? listedIdPart(parts, keyMode) : ownIdPart(parts);
  const idKey = idPart === null ? '' : partKey(idPart, keyMode);
  const idOf = (record: RawRecord): string | null => {
    const id = readId(record, idKey);
    if (id !== null || !isProof) return id;
    throw withoutId('it is not known which records are there');
  };
  const source = {
    fetchPage: async (offset: number, limit: number, isDivisible: boolean) =>
      await listParts(app, query, { offset, limit, isDivisible }),
    idOf,
    count: async () => await countRecords(app, query),
    pause: async () => await app.client.wait(0),
  };
  yield* pagesOf(source, query);
  if (isProof) await assertRunning(app.client, app.reference);
}
