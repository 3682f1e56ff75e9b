import type { Line, Told } from '../ledger/line';
import { Tally, type Section } from './tally';
import type { History } from './history';
import { recordGone, removedPlaces, type Place } from './places';

const OPEN: ReadonlySet<Told> = new Set(['unknown', 'untold', 'partly', 'deleted']);

/**
 * Everything that was taken out: records, rows and files that were said to be deleted are gone, and nothing is gone that
 * nobody asked to delete.
 */
export function auditRemovals(lines: readonly Line[], history: History): Section {
  const tally = new Tally(
    'deletions acknowledged',
    'said to be deleted but there',
    'said not to exist but there',
    'refused but deleted',
    'records deleted',
    'rows deleted',
    'files deleted',
    'lost: nobody asked to delete it',
  );
  const removals = lines.filter((line) => removedPlaces(line).length > 0);
  const askedBy = groupByPlace(removals);
  for (const line of removals) auditLine(line, history, tally, askedBy);
  for (const { entry, before, places } of history.made) {
    for (const place of places.filter((each) => each.endsWith(' gone'))) {
      tally.count(`${place.split(' ', 1)[0]}s deleted`);
      if (!askedBy.has(place)) tally.violate('lost: nobody asked to delete it', { place, entry, before });
    }
  }
  return tally;
}

function auditLine(
  line: Line,
  history: History,
  tally: Tally,
  askedBy: ReadonlyMap<Place, readonly Line[]>,
): void {
  const places = removedPlaces(line);
  const isGone = (place: Place): boolean => {
    // A row or a file goes with its record.
    const withRecord = line.record === null ? [] : history.at(recordGone(line.record));
    return history.at(place).length > 0 || withRecord.length > 0;
  };
  if (line.told === 'deleted' || line.told === 'notFound') {
    if (line.told === 'deleted') tally.count('deletions acknowledged');
    const there = places.filter((place) => !isGone(place));
    const kind = line.told === 'deleted' ? 'said to be deleted but there' : 'said not to exist but there';
    if (there.length > 0) tally.violate(kind, { line, there });
    return;
  }
  if (OPEN.has(line.told)) return;
  const done = places.filter((place) => history.at(place).length > 0 && !mayBeBy(askedBy.get(place), line));
  // An error for several records may stand for some that were deleted; it names them.
  if (done.length > 0 && (line.deleted?.length ?? 0) <= 1)
    tally.violate('refused but deleted', { line, done });
}

function mayBeBy(lines: readonly Line[] | undefined, except: Line): boolean {
  return lines?.some((line) => line !== except && OPEN.has(line.told)) ?? false;
}

function groupByPlace(lines: readonly Line[]): Map<Place, Line[]> {
  const groups = new Map<Place, Line[]>();
  for (const line of lines)
    for (const place of removedPlaces(line)) groups.set(place, [...(groups.get(place) ?? []), line]);
  return groups;
}
