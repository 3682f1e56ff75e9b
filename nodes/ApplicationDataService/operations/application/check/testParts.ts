import { partKey } from '../../../parts/model/keys';
import { isAddressable } from '../../../parts/model/obstacle';
import type { KeyMode, Part } from '../../../parts/model/part';
import { isObject } from '../../../parts/values/shapes';
import { readText } from '../../../parts/values/wire';
import { isWritable } from '../../../parts/writable';
import { partField } from '../../../service/write/form';
import type { RawRecord } from '../../../service/read/recordList';

/** The parts of an application that test records are written in. */
export class TestParts {
  /** Text parts that can hold a mark; the first one does. */
  readonly texts: readonly Part[];

  constructor(
    parts: readonly Part[],
    private readonly keyMode: KeyMode,
  ) {
    this.texts = [...this.writable(parts, 'textbox'), ...this.writable(parts, 'textarea')];
  }

  /** Parts of a type to which values can be written. */
  writable(parts: readonly Part[], type: string): Part[] {
    const isFit = (part: Part): boolean =>
      part.type === type &&
      isWritable(part) &&
      isAddressable(part, parts, this.keyMode) &&
      partKey(part, this.keyMode) !== 'revision';
    return parts.filter(isFit);
  }

  /** The name of a part's form field. */
  field(part: Part): string {
    return partField(part, this.keyMode);
  }

  /** Whether a record contains a mark. Always false without a mark. */
  holdMark(raw: RawRecord, mark: string | undefined): boolean {
    const [part] = this.texts;
    if (part === undefined || mark === undefined) return false;
    const value = raw[partKey(part, this.keyMode)];
    return readText(isObject(value) ? value.val : value).includes(mark);
  }
}
