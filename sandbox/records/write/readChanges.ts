import { parseJson, type Call } from '../../call/call.ts';
import { wrongParameter, wrongPart } from '../../call/refusals.ts';
import { InvalidValue } from '../../parts/kind.ts';
import { kindOf } from '../../parts/kinds.ts';
import type { Part, Stored, StoredFile } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Workbench } from '../workbench.ts';
import { readRows, type RowChange } from './rows.ts';
import { Targets, type Target } from './targets.ts';

/** The changes of the files of one attachment part. */
export interface FileChange {
  readonly added: StoredFile[];
  readonly removed: number[];
}

/** The changes of one row's files. Rows are counted from 0, as they were sent. */
interface RowFileChange extends FileChange {
  readonly table: Part;
  readonly row: number;
  readonly part: Part;
}

/** What to write to a record, checked as far as possible without the record. */
export interface Changes {
  /** An undefined value empties the part. */
  readonly values: ReadonlyMap<Part, Stored | undefined>;
  readonly tables: ReadonlyMap<Part, readonly RowChange[]>;
  readonly files: ReadonlyMap<Part, FileChange>;
  readonly rowFiles: readonly RowFileChange[];
  /** Key parts of `relookup_key_field`. */
  readonly lookups: readonly Part[];
  readonly automatic: boolean;
}

/**
 * Reads the changes of insert_data and update_data.
 * @param record the record to change; undefined for a new one
 * @throws {@link ServiceError} naming the part that cannot be written
 */
export function readChanges(
  call: Call,
  workbench: Workbench,
  application: Application,
  record: DataRecord | undefined,
): Changes {
  const reader = new ChangeReader(call, workbench, application, record !== undefined);
  return reader.read();
}

class ChangeReader {
  readonly #call: Call;
  readonly #workbench: Workbench;
  readonly #application: Application;
  readonly #isUpdate: boolean;
  readonly #targets: Targets;
  readonly #values = new Map<Part, Stored | undefined>();
  readonly #tables = new Map<Part, readonly RowChange[]>();
  readonly #files = new Map<Part, FileChange>();
  readonly #rowFiles: RowFileChange[] = [];

  constructor(call: Call, workbench: Workbench, application: Application, isUpdate: boolean) {
    this.#call = call;
    this.#workbench = workbench;
    this.#application = application;
    this.#isUpdate = isUpdate;
    this.#targets = new Targets(application, call.user, workbench.dialect, isUpdate);
  }

  read(): Changes {
    const automatic = this.#call.parameters.oneOf('auto_action', ['on', 'off'], 'on') === 'on';
    for (const [name, value] of this.#call.parameters.entries()) this.#readParameter(name, value);
    for (const { field, file } of this.#call.files) this.#readFile(field, file);
    return {
      values: this.#values,
      tables: this.#tables,
      files: this.#files,
      rowFiles: this.#rowFiles,
      lookups: this.#readLookups(),
      automatic,
    };
  }

  #readParameter(name: string, value: string): void {
    if (!name.startsWith('{{') || (this.#isUpdate && name === '{{revision}}')) return;
    const target = this.#targets.find(name);
    if (!target) return;
    if (target.removal) {
      if (value !== '') this.#fileChange(target).removed.push(this.#fileId(name, value));
      return;
    }
    const { part, key } = target;
    if (part.type === 'files') {
      if (value !== '') throw wrongPart(key, 'takes files, not text');
    } else if (target.row) {
      throw wrongParameter(name, 'is for attachment parts only', 'invalidParameter', key);
    } else if (part.type === 'input_list') {
      this.#tables.set(part, this.#readTable(part, key, name, value));
    } else {
      this.#values.set(part, this.#parse(part, key, value));
    }
  }

  #readFile(field: string, file: StoredFile): void {
    if (!field.startsWith('{{')) {
      throw wrongParameter(field, 'does not take a file');
    }
    const target = this.#targets.find(field);
    if (!target) return;
    if (target.part.type !== 'files' || target.removal) {
      throw wrongPart(target.key, 'does not take files');
    }
    this.#fileChange(target).added.push(file);
  }

  #parse(part: Part, key: string, text: string): Stored | undefined {
    try {
      return kindOf(part).parse?.(text, part, this.#workbench.storage.people);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw wrongPart(key, error.message);
    }
  }

  #readTable(table: Part, key: string, name: string, value: string): RowChange[] {
    const json = value === '' ? [] : parseJson(name, value);
    return readRows(json, key, {
      part: (childKey) => this.#targets.writable(table.children, childKey),
      parse: (part, childKey, text) => this.#parse(part, childKey, text),
    });
  }

  #fileId(name: string, value: string): number {
    if (/^\d{1,15}$/.test(value)) return Number(value);
    throw wrongParameter(name, `takes the id of a file, not "${value}"`);
  }

  #fileChange({ part, row }: Target): FileChange {
    if (!row) return getOrAdd(this.#files, part, () => ({ added: [], removed: [] }));
    const { table, index } = row;
    const known = this.#rowFiles.find(
      (change) => change.table === table && change.row === index && change.part === part,
    );
    if (known) return known;
    const change = { table, row: index, part, added: [], removed: [] };
    this.#rowFiles.push(change);
    return change;
  }

  #readLookups(): Part[] {
    const ids = this.#call.parameters.all('relookup_key_field').filter((id) => id !== '');
    return [...new Set(ids)].map((id) => {
      const part = this.#application.parts.find((one) => String(one.id) === id);
      if (!part?.lookup) {
        throw wrongParameter('relookup_key_field', `names no key part: "${id}"`);
      }
      if (!this.#values.has(part)) {
        throw wrongParameter(
          'relookup_key_field',
          `names a key part that was not sent: {{${part.name}}}`,
          'missingParameter',
          part.name,
        );
      }
      return part;
    });
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
