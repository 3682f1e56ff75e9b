import { chooseParts, readPresentOptions, recordPresenter } from '../../service/present';
import { readRecords } from '../../service/records';
import { keyModeForReading } from '../shared/keyMode';
import { outputOption, partKeyOption, partsToReturnOption } from '../shared/options';
import { readLimit } from '../shared/limit';
import { applicationProperty, limitProperty, optionsProperty, returnAllProperty } from '../shared/properties';
import type { ItemRun } from '../run/itemRun';
import type { ItemOperation, OutputItem } from '../types';

/** Record > Get Many (interface.md, "list_data"). */
export const getManyRecords: ItemOperation = {
  resource: 'record',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many records',
  description: 'Read several records of an application',
  properties: [
    applicationProperty,
    returnAllProperty,
    limitProperty,
    optionsProperty([outputOption, partKeyOption, partsToReturnOption]),
  ],
  async execute(item) {
    const app = await item.application();
    const keyMode = await keyModeForReading(item, app);
    const { parts } = app.application;
    const options = readPresentOptions(item.options());
    const present = recordPresenter(parts, keyMode, options);
    const query = { parts: chooseParts(parts, options.partsToReturn), keyMode, limit: readLimit(item) };
    const output: OutputItem[] = [];
    for await (const page of readRecords(app, query)) {
      for (const record of page) output.push({ json: present(record) });
    }
    if (!options.raw) hintAtGaps(item, output);
    return output;
  },
};

/** What a list could not give, and how to get it nevertheless. */
function hintAtGaps(item: ItemRun, output: readonly OutputItem[]): void {
  if (output.some(({ json }) => json.id === null)) {
    item.run.hints.add(
      'The records have no "id": the list does not carry the ID part. Give the ID part an identifier in the application\'s settings',
    );
  }
  if (output.some(({ json }) => json.revision === null)) {
    item.run.hints.add(
      'The records have no "revision": this service gives it only for single records. Use Get where you need it',
    );
  }
}
