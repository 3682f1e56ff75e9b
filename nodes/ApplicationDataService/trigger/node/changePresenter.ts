import type { IDataObject } from 'n8n-workflow';

import { recordPresenter } from '../../common/presentation';
import { triggerItem } from '../../common/recordItem';
import type { RawRecord } from '../../service/read/records';
import type { Change } from '../poll/settings';
import type { TriggerParameters } from './triggerParameters';
import type { Watch } from '../source/watch';

/** Turns a change into the json of an item (parameters.md, Trigger). */
export function changePresenter(
  watch: Watch,
  { output }: TriggerParameters['options'],
): (change: Change<RawRecord>) => IDataObject {
  const wanted = watch.wanted === watch.parts ? [] : watch.wanted.map(({ id }) => id);
  const present = recordPresenter(watch.parts, watch.keyMode, { output, partsToReturn: wanted });
  return (change) => {
    const { event, id, previousRevision } = change;
    if (change.event === 'deleted') return { event, id, previousRevision };
    const { revision } = change;
    const own = { event, id, revision, previousRevision };
    return output === 'raw'
      ? { ...own, record: change.record }
      : triggerItem(present(change.record, id), own);
  };
}
