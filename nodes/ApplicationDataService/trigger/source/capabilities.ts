import type { ListAbilities } from '../../service/application/session';

/** What was learned about a service; absent if not known yet. Kept in memory between polls. */
export interface Capabilities extends ListAbilities {
  /** Lists narrowed by `fields` carry the revision. */
  revisionInLists?: boolean;
  /** The ID part can be filtered by several ids at once. */
  takesIds?: boolean;
  /** Lists can be sorted by the date/time part. */
  sortsByNewest?: boolean;
}
