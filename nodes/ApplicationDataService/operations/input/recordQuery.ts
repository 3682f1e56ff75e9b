import { isObject } from '../../parts/values/shapes';
import { isUnsaid } from '../../parts/values/unsaid';
import { readNarrowing, readRecordQuery, type SavedQuery } from '../../common/query';
import type { QueryContext } from '../../common/queryContext';
import type { RecordQuery } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { ItemRun } from '../run/itemRun';
import { keyModeForReading } from './keyMode';

/** The query that an item's parameters mean, without a limit. */
export async function recordQuery(item: ItemRun, app: ApplicationSession): Promise<RecordQuery> {
  return readRecordQuery(savedQuery(item), await context(item, app));
}

/** Which records they mean; the parts are those to search by keyword. */
export async function recordNarrowing(item: ItemRun, app: ApplicationSession): Promise<RecordQuery> {
  const { keyMode, ...others } = await context(item, app);
  const { searched, ...narrowing } = readNarrowing(savedQuery(item), { keyMode, ...others });
  return { ...narrowing, parts: searched, keyMode };
}

function savedQuery(item: ItemRun): SavedQuery {
  const filters = item.value('filters', {});
  return { ...item.options(), filters: item.run.byAgent ? saidConditions(filters) : filters };
}

/** A condition in which an agent said neither the part nor the value is none. */
function saidConditions(filters: unknown): unknown {
  if (!isObject(filters) || !Array.isArray(filters.condition)) return filters;
  const conditions = filters.condition.filter(isObject).map((condition) => {
    const said = Object.entries(condition).filter(([, value]) => !isUnsaid(value));
    return Object.fromEntries(said);
  });
  return { condition: conditions.filter((condition) => 'part' in condition || 'value' in condition) };
}

async function context(item: ItemRun, app: ApplicationSession): Promise<QueryContext> {
  return {
    parts: app.application.parts,
    keyMode: await keyModeForReading(item, app),
    timezone: item.timezone(),
  };
}
