import { MAX_LIST_LENGTH } from '../http/listItems';

/** What a full page costs the service, in reads of a single record: measured. */
const FULL_PAGE = 25;

/** So few reads of single records that no count is needed to know that they are cheaper than reading all. */
export const FEW_READS = 3;

/** Records to read where a few keys were not found: all of a small application, and samples of a large one. */
export const FIRST_RECORDS = 150;

/** Records that cost as much to list as one that is read by itself. */
export const RECORDS_PER_READ = MAX_LIST_LENGTH / FULL_PAGE;

/**
 * What reading all of so many records costs the service, in reads of a single record: requests, and records besides,
 * because one queue serves everybody.
 */
export function costOfScan(count: number): number {
  return Math.max(1, Math.ceil(count / MAX_LIST_LENGTH)) + count / RECORDS_PER_READ;
}
