import { partKey } from '../../parts/model/keys';
import { listedIdPart } from '../../parts/model/lookup';
import type { ApplicationSession } from '../application/session';
import { ServiceError } from '../http/errors';
import { assertRunning } from './absence';
import type { ListQuery, RawRecord } from './recordList';
import { readId, readRecords } from './records';

/**
 * Reads all records that a query names, page by page, each once, as a proof of what is not among them: once it has come to its
 * end, the whole list was read (the last page was empty, or a count asked afterwards is that of the records read), and the
 * application, asked after that, is running. Whoever has found what it looks for may stop before.
 * @throws UserError if the application's lists carry no record ids.
 * @throws ServiceError if it is not known that all was read, or the application is not running.
 */
export async function* readWholeList(app: ApplicationSession, query: ListQuery): AsyncGenerator<RawRecord[]> {
  yield* readToEnd(app, query);
  await assertRunning(app);
}

/**
 * The same for what is proven otherwise, or not looked for: it says nothing of the state of the application.
 * @param first records of the first page, for who may stop after it.
 */
export async function* readToEnd(
  app: ApplicationSession,
  query: ListQuery,
  first?: number,
): AsyncGenerator<RawRecord[]> {
  const idKey = partKey(listedIdPart(app.application.parts, query.keyMode), query.keyMode);
  for await (const page of readRecords(app, query, {
    proof: 'strict',
    ...(first !== undefined && { first }),
  })) {
    if (page.some((record) => readId(record, idKey) === null)) throw withoutId();
    yield page;
  }
}

/** What cannot be told from other records cannot be counted, nor be written to. */
function withoutId(): ServiceError {
  return new ServiceError(
    'badAnswer',
    'The service lists a record without its ID, so it is not known which records are there',
    'Make the ID part readable for this access key.',
  );
}
