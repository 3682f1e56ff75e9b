import type { Part } from '../../../parts/model/part';
import { isRefusal } from '../../../service/http/errors';
import { inWords } from './failure';
import { unknown, type Finding } from './finding';
import type { TestRecords } from './testRecords';
import type { RawRecord } from '../../../service/read/recordList';

/** A row or a file, as the service returned it. */
export type Item = Readonly<Record<string, unknown>>;

/** A part of the test record that holds rows or files. */
export interface Content {
  readonly records: TestRecords;
  readonly id: string;
  readonly part: Part;
  readonly items: (raw: RawRecord) => readonly Item[];
}

/** The finding if the service refuses to change the test record. */
export function refusedOr(error: unknown): Finding {
  if (!isRefusal(error)) throw error;
  return unknown(
    `It is ${inWords(error)}`,
    'Other values may be required. Run the check in another application.',
  );
}
