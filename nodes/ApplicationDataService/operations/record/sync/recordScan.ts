import type { IDataObject } from 'n8n-workflow';

import { storedKey } from '../../../parts/compare';
import type { WriteContext } from '../../../parts/model/codec';
import { namePart } from '../../../parts/model/errors';
import { outputKey, partKey } from '../../../parts/model/keys';
import type { Part } from '../../../parts/model/part';
import type { SimplifiedRecord } from '../../../parts/record';
import { setOwn } from '../../../parts/values/shapes';
import { ServiceError } from '../../../service/http/errors';
import { keyText, type NearKeys } from '../../../service/read/keyedRecords';
import type { RawRecord } from '../../../service/read/recordList';
import type { MissingRecord, RemovalTerms } from './removalGuards';

/** A record as a list shows it. */
export interface ListedRecord {
  readonly id: string;
  /** `null` if lists carry no revision. */
  readonly revision: number | null;
  readonly record: SimplifiedRecord;
}

/** Compares the records of an application, one after the other, with the keys of the items. */
export class RecordScan {
  readonly matches = new Map<string, ListedRecord[]>();

  readonly missing: MissingRecord[] = [];

  /** Records that are not in the input and may not be removed. */
  others = 0;

  /** Records that may be removed if they are not in the input. */
  inScope = 0;

  /** @param wanted the keys of the items. */
  constructor(
    private readonly parts: readonly Part[],
    private readonly context: WriteContext,
    private readonly wanted: ReadonlySet<string>,
    private readonly removal: Pick<RemovalTerms, 'missing' | 'scope' | 'near'>,
    /** Number of records that are kept although they are not in the input. */
    private readonly spared: ReadonlySet<string> = new Set(),
    private readonly near?: NearKeys,
  ) {}

  /**
   * @param raw the record as it came
   * @throws ServiceError if the record does not show its key parts.
   */
  take(record: SimplifiedRecord, raw: RawRecord): void {
    const id = record.id ?? '';
    this.assertShown(record);
    this.removal.near.see(raw);
    const key = storedKey(this.parts, record, this.context);
    this.near?.see(id, key);
    const text = keyText(key);
    const isInScope = this.removal.missing === 'delete' && this.removal.scope.meets(raw);
    if (isInScope) this.inScope += 1;
    if (this.wanted.has(text)) {
      const matches = this.matches.get(text);
      const listed = { id, revision: record.revision, record };
      if (matches === undefined) this.matches.set(text, [listed]);
      else matches.push(listed);
    } else if (isInScope && !this.spared.has(id)) {
      this.missing.push({ id, revision: record.revision, key, shown: this.shown(record) });
    } else {
      this.others += 1;
    }
  }

  private shown(record: SimplifiedRecord): IDataObject {
    const shown: IDataObject = {};
    for (const part of this.parts) {
      const key = outputKey(partKey(part, this.context.keyMode));
      setOwn(shown, key, record[key]);
    }
    return shown;
  }

  private assertShown(record: SimplifiedRecord): void {
    const lacking = this.parts.find(
      (part) => !Object.hasOwn(record, outputKey(partKey(part, this.context.keyMode))),
    );
    if (lacking === undefined) return;
    throw new ServiceError(
      'refused',
      `The record ${record.id ?? ''} does not show ${namePart(lacking)}, so it is not known which item belongs to it`,
      'Ask for the right to read this part, or match on another one.',
    );
  }
}
