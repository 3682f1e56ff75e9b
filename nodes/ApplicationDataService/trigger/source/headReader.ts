import { UserError } from '../../util/userError';
import { readInteger } from '../../parts/values/decimal';
import { partKey } from '../../parts/model/keys';
import { isObject } from '../../parts/values/shapes';
import { readFlag, readText } from '../../parts/values/wire';
import { ServiceError } from '../../service/http/errors';
import type { Head } from '../poll/recordSource';
import { idNumber } from '../state/idOrder';
import { watchedReader } from './watchedValues';
import { idPart, type Watch } from './watch';
import type { RawRecord } from '../../service/read/recordList';

/** Reads the values that a scan compares; `revision` is `null` if the record has none. */
export type HeadReader = (record: RawRecord) => Omit<Head, 'revision'> & { readonly revision: number | null };

const NOT_WATCHED = { hash: 0 } as const;

/** A reader for many records, a million of them in about a second. Throws UserError for one without an id. */
export function headReader(watch: Watch): HeadReader {
  const { watched, keyMode, keepsValues, test } = watch;
  const part = idPart(watch);
  const idKey = partKey(part, keyMode);
  const read = watched.length === 0 ? () => NOT_WATCHED : watchedReader(watched, keyMode, keepsValues);
  const revisionIsPart = watch.parts.some((each) => partKey(each, keyMode) === 'revision');
  return (record) => {
    const id = readText(valueOf(record[idKey]));
    if (id === '') {
      throw new UserError(
        'The records in the list have no ID',
        "Make the ID part readable for this access key, and give it an identifier in the application's settings.",
      );
    }
    const head = { id, revision: revisionOf(record.revision, revisionIsPart), ...read(record) };
    return test === null || test.meets(record) ? head : { ...head, isOut: true };
  };
}

function valueOf(value: unknown): unknown {
  return isObject(value) ? value.val : value;
}

/** A part may also be called `revision`. The record's own revision denies writing. */
function revisionOf(value: unknown, revisionIsPart: boolean): number | null {
  if (revisionIsPart && !(isObject(value) && readFlag(value.deny_write))) return null;
  const text = valueOf(value);
  const plain = typeof text === 'string' ? idNumber(text) : -1;
  const revision = plain >= 0 ? plain : readInteger(text);
  return revision !== null && revision >= 0 ? revision : null;
}

/** Whether a record can be compared. */
export function hasRevision(head: ReturnType<HeadReader>): head is Head {
  return head.revision !== null;
}

/** Records that cannot. */
export function withoutRevision(): ServiceError {
  return new ServiceError(
    'settings',
    'The records have no revision, so changes cannot be seen',
    'Ask the administrator of the service whether revisions can be read with this access key.',
  );
}
