import type { IDataObject } from 'n8n-workflow';

import { readPresentOptions, recordPresenter } from '../../common/presentation';
import type { RawRecord } from '../../service/read/records';
import type { Change } from '../poll/settings';
import type { Watch } from '../source/watch';

/** Turns a change into the json of an item (parameters.md, Trigger). */
export function changePresenter(
  watch: Watch,
  options: IDataObject,
): (change: Change<RawRecord>) => IDataObject {
  const wanted = watch.wanted === watch.parts ? [] : watch.wanted.map(({ id }) => id);
  const present = recordPresenter(watch.parts, watch.keyMode, {
    ...readPresentOptions(options),
    partsToReturn: wanted,
    referenceListsLoaded: true,
  });
  const raw = options.output === 'raw';
  return (change) => {
    const { event, id, previousRevision } = change;
    if (change.event === 'deleted') return { event, id, previousRevision };
    const { revision } = change;
    const head = { event, id, revision, previousRevision };
    if (raw) return { ...head, record: change.record };
    return { ...head, ...present(change.record, id), ...head };
  };
}
