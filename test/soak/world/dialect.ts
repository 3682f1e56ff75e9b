import type { Random } from '../util/random';

/** The settings of a sandbox for what the interface leaves open (docs/dev/sandbox.md, "Dialect"), by switch. */
export type Dialect = Readonly<Record<string, string | number>>;

/** The values to choose from, besides each switch's default. */
const SWITCHES: Readonly<Record<string, readonly (string | number)[]>> = {
  emptyList: ['error', 'emptyString', 'noItem', 'noList'],
  emptyInner: ['emptyString', 'noItem', 'noValue'],
  singleItem: ['object'],
  listRevision: ['always', 'never'],
  partErrors: ['alone'],
  permissionsKey: ['two', 'plain'],
  // Not 500: that is never a refusal, so no deletion would ever be proved.
  failureStatus: ['400'],
  ids: ['number'],
  counts: ['number'],
  insertKey: ['id', 'data_id'],
  downloadUrl: ['otherHost'],
  attachmentUrlId: ['different'],
  equals: ['refused:textbox', 'misses:textbox'],
  omittedChild: ['emptied'],
  severalFiles: ['first', 'last'],
  multiDelete: ['all', 'none'],
  deleteIds: [3],
};

/** Draws the switches that are not at their defaults. */
export function drawDialect(random: Random): Dialect {
  const drawn = Object.keys(SWITCHES).filter(() => random.chance(0.35));
  return {
    // A full queue refuses for a while, as the real one does, but not for ten seconds.
    overloadMs: 400,
    ...Object.fromEntries(drawn.map((name) => [name, random.pick(SWITCHES[name]!)])),
  };
}
