import type { Random } from '../util/random';

/** The settings of a sandbox for what the interface leaves open (docs/dev/sandbox.md, "Dialect"), by switch. */
export type Dialect = Readonly<Record<string, string | number>>;

/** The values to choose from; each switch's default is first. */
const SWITCHES: Readonly<Record<string, readonly (string | number)[]>> = {
  emptyList: ['array', 'error', 'emptyString', 'noItem', 'noList'],
  emptyInner: ['array', 'emptyString', 'noItem', 'noValue'],
  singleItem: ['array', 'object'],
  listRevision: ['requested', 'always', 'never'],
  partErrors: ['withValue', 'alone'],
  permissionsKey: ['one', 'two', 'plain'],
  // Not 500: that is never a refusal, so no deletion would ever be proved.
  failureStatus: ['200', '400'],
  ids: ['string', 'number'],
  counts: ['string', 'number'],
  insertKey: ['ID', 'id', 'data_id'],
  downloadUrl: ['absolute', 'otherHost'],
  attachmentUrlId: ['equal', 'different'],
  equals: ['works', 'refused:textbox', 'misses:textbox'],
  omittedChild: ['kept', 'emptied'],
  severalFiles: ['all', 'first', 'last'],
  multiDelete: ['part', 'all', 'none'],
  deleteIds: [0, 3],
};

/** A full queue refuses for a while, as the real one does, but not for ten seconds. */
const FIXED: Dialect = { overloadMs: 400 };

/** Draws a dialect: mostly defaults, some switches at other values. */
export function drawDialect(random: Random): Dialect {
  const drawn = Object.entries(SWITCHES).map(([name, [first, ...others]]) => [
    name,
    random.chance(0.35) ? random.pick(others) : first!,
  ]);
  return { ...FIXED, ...(Object.fromEntries(drawn) as Dialect) };
}

/** The switches that are not at their defaults. */
export function unlikely(dialect: Dialect): Dialect {
  return Object.fromEntries(
    Object.entries(dialect).filter(([name, value]) => SWITCHES[name] && SWITCHES[name][0] !== value),
  );
}
