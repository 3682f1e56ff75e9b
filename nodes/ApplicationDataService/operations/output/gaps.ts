import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../run/item';

/** What a list of records lacks. */
export class Gaps {
  private withoutId = false;
  private withoutRevision = false;

  /** Looks at a simplified record, and returns it. */
  watch(record: IDataObject): IDataObject {
    if (record.id === null) this.withoutId = true;
    if (record.revision === null) this.withoutRevision = true;
    return record;
  }

  /** Adds hints about what is missing and how to get it. */
  hint(item: Item): void {
    if (this.withoutId) {
      item.run.hints.add(
        'The records have no "id": the list does not contain the ID part. Give the ID part an identifier in the application\'s settings',
      );
    }
    if (this.withoutRevision) {
      item.run.hints.add(
        'The records have no "revision": this service returns it only for single records. Use Get if you need it',
      );
    }
  }
}
