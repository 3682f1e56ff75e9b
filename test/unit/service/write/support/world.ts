import { readAnswer, type Answer } from '../../../../../nodes/ApplicationDataService/service/http/answer';
import type { ServiceClient } from '../../../../../nodes/ApplicationDataService/service/http/client';
import {
  asWriteFailure,
  toServiceError,
} from '../../../../../nodes/ApplicationDataService/service/http/errors';
import type { FormField, FormFile } from '../../../../../nodes/ApplicationDataService/service/http/multipart';
import { connectionFailure } from '../../../../../nodes/ApplicationDataService/service/http/transport';

/** What another writer does, each one a write of its own. */
const RIVALS = {
  touch: (record: Stored) => void (record.note += '.'),
  sameName: (record: Stored) => void (record.name = 'mine'),
  otherName: (record: Stored) => void (record.name = 'theirs'),
  sameRow: (record: Stored) => record.rows.slice(0, 1).forEach((row) => (row.item = 'mine')),
  otherRow: (record: Stored) => record.rows.slice(0, 1).forEach((row) => (row.item = 'theirs')),
  addEqual: (record: Stored, id: string) => void record.rows.push({ id, item: 'new', isOurs: false }),
  addOther: (record: Stored, id: string) => void record.rows.push({ id, item: 'x', isOurs: false }),
  removeRow: (record: Stored) => void record.rows.shift(),
  removeAdded: (record: Stored) => void (record.rows = record.rows.filter(({ isOurs }) => !isOurs)),
  addEqualFile: (record: Stored, id: string) => void record.files.push({ ...FILE, id, isOurs: false }),
  addOtherFile: (record: Stored, id: string) =>
    void record.files.push({ id, name: 'b.txt', size: 9, isOurs: false }),
  removeFile: (record: Stored) => void record.files.shift(),
  removeAddedFile: (record: Stored) => void (record.files = record.files.filter(({ isOurs }) => !isOurs)),
  delete: (record: Stored) => void (record.exists = false),
} as const;

/** How a call of ours fails: `late` comes just before our next call, `later` just before the one after, `atEnd` after the last. */
export const FAULTS = [
  'lostBefore',
  'lostAfter',
  'late',
  'later',
  'atEnd',
  'doneRefused',
  'refused',
  'failedAfter',
] as const;

export type Rival = keyof typeof RIVALS;
export type Fault = (typeof FAULTS)[number];

/** The answer of every write is lost, that of reads is not. */
type LastingFault = 'lostAfterWrite';

/** Something that happens just before one of our calls, or to it. */
export interface Happening {
  readonly at: number;
  readonly what: Rival | Fault | LastingFault;
}

export const isFault = (what: Happening['what']): what is Fault | LastingFault => !(what in RIVALS);

/** The file that is uploaded. */
export const FILE = { name: 'a.txt', size: 3 };

interface Row {
  readonly id: string;
  item: string;
  readonly isOurs: boolean;
}

export interface Stored {
  exists: boolean;
  revision: number;
  name: string;
  note: string;
  rows: Row[];
  files: { readonly id: string; readonly name: string; readonly size: number; readonly isOurs: boolean }[];
  isOurs: boolean;
}

type Work = () => Answer | 'refused';

const val = (value: unknown): { val: unknown } => ({ val: value });

/** A service that keeps to the interface, while others write and calls fail as a history says. */
export class World {
  readonly records = new Map<string, Stored>();

  /** Our writes that were done. */
  executed = 0;

  /** Calls so far. */
  calls = 0;

  private pending: { readonly due: number; readonly work: Work }[] = [];

  private lastId = 50;

  /** @param changed is told of the state at the start and after each change. */
  constructor(
    private readonly history: readonly Happening[],
    private readonly changed: (world: World) => void,
    isEmpty = false,
    /** What the service itself does after each write of ours: automatic processing. */
    private readonly processing: Rival | null = null,
    /** Whether it stores other texts than it is sent. */
    private readonly trims = false,
  ) {
    if (!isEmpty) {
      this.records.set('12', {
        ...{ exists: true, revision: 3, name: 'old', note: '', isOurs: false },
        rows: ['a', 'b'].map((item, index) => ({ id: String(index + 1), item, isOurs: false })),
        files: [{ id: '7', name: 'old.txt', size: 1, isOurs: false }],
      });
    }
    changed(this);
  }

  get record(): Stored | undefined {
    return this.records.get('12');
  }

  /** All that is needed of a client. */
  get client(): ServiceClient {
    const call = async (action: string, fields: readonly FormField[], files: readonly FormFile[] = []) => {
      const isWrite = ['insert_data', 'update_data', 'delete_data'].includes(action);
      try {
        return await Promise.resolve(this.answer(action, new Map(fields), files, isWrite));
      } catch (error) {
        const failure = toServiceError(error);
        throw isWrite ? asWriteFailure(failure, action) : failure;
      }
    };
    const nothing = async (): Promise<void> => await Promise.resolve();
    return { call, wait: nothing, address: 'x', keyWorks: true } as unknown as ServiceClient;
  }

  /** Does what is still to arrive after the last call. */
  end(): void {
    this.calls = Infinity;
    this.arrive();
  }

  private answer(
    action: string,
    fields: ReadonlyMap<string, string>,
    files: readonly FormFile[],
    isWrite: boolean,
  ): Answer {
    const at = this.calls++;
    for (const { what } of this.history.filter((each) => each.at === at))
      if (!isFault(what)) this.rival(what);
    this.arrive();
    const fault = this.history.find((each) => each.at === at && isFault(each.what))?.what as
      Fault | LastingFault | undefined;
    const work: Work = isWrite ? () => this.write(action, fields, files) : () => this.read(action, fields);
    return this.failing(
      action,
      fault === 'lostAfterWrite' ? (isWrite ? 'lostAfter' : undefined) : fault,
      work,
    );
  }

  private failing(action: string, fault: Fault | undefined, work: Work): Answer {
    const lost = connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
    const said = (answer: Answer | 'refused', status = 200): Answer =>
      readAnswer(
        { status, headers: {}, body: answer === 'refused' ? REFUSAL : { status: 'ok', ...answer } },
        { action, address: 'https://x/appsr.cgi', keyWorks: true },
      );
    switch (fault) {
      case undefined:
        return said(work());
      case 'lostBefore':
        throw lost;
      case 'late':
      case 'later':
      case 'atEnd':
        this.pending.push({
          due: fault === 'atEnd' ? Number.MAX_SAFE_INTEGER : this.calls + (fault === 'late' ? 0 : 1),
          work,
        });
        throw lost;
      case 'refused':
        return said('refused');
      case 'lostAfter':
        work();
        throw lost;
      case 'doneRefused':
        work();
        return said('refused');
      case 'failedAfter':
        work();
        return said('refused', 500);
    }
  }

  private arrive(): void {
    const due = this.pending.filter((each) => each.due < this.calls);
    this.pending = this.pending.filter((each) => each.due >= this.calls);
    due.forEach(({ work }) => work());
  }

  private rival(what: Rival, record = this.record): void {
    if (record?.exists !== true) return;
    RIVALS[what](record, String(++this.lastId));
    record.revision++;
    this.changed(this);
  }

  private read(action: string, fields: ReadonlyMap<string, string>): Answer | 'refused' {
    const there = [...this.records].filter(([, { exists }]) => exists);
    if (action === 'get_app') return { id: '301', name: 'Goods', app_status: 'running' };
    if (action === 'count_data') return { allcnt: there.length };
    if (action === 'list_data') {
      const from = Number(fields.get('offset') ?? 0);
      const page = there.slice(from, from + Number(fields.get('limit')));
      return fields.has('filter') || fields.has('keyword') ? 'refused' : { list: { item: page.map(shown) } };
    }
    const found = there.find(([id]) => id === fields.get('data_id'));
    return found === undefined ? 'refused' : { record: shown(found) };
  }

  private write(
    action: string,
    fields: ReadonlyMap<string, string>,
    files: readonly FormFile[],
  ): Answer | 'refused' {
    const isInsert = action === 'insert_data';
    const id = isInsert ? String(++this.lastId) : (fields.get('data_id') ?? '');
    if (isInsert) {
      this.records.set(id, {
        exists: true,
        revision: 0,
        name: '',
        note: '',
        rows: [],
        files: [],
        isOurs: true,
      });
    }
    const record = this.records.get(id);
    const checked = Number(fields.get('{{revision}}') ?? 0);
    if (record?.exists !== true || (checked !== 0 && checked !== record.revision)) return 'refused';
    record.revision++;
    record.name = this.kept(fields.get('{{Name}}'), record.name);
    const rows = fields.get('{{Lines}}');
    if (rows !== undefined) record.rows = this.rowsOf(rows, record);
    const gone = fields.get('{{Docs}}.del_attachment_id');
    record.files = record.files.filter((file) => file.id !== gone);
    for (const { content } of files)
      record.files.push({
        id: String(++this.lastId),
        name: content.fileName,
        size: content.size,
        isOurs: true,
      });
    this.executed++;
    this.changed(this);
    if (this.processing !== null) this.rival(this.processing, record);
    return { ID: id };
  }

  /** What it stores of a text. What it has stored once stays as it is. */
  private kept(sent: string | undefined, stored = ''): string {
    if (sent === undefined || sent === stored) return stored;
    return this.trims ? `${sent}.` : sent;
  }

  private rowsOf(sent: string, record: Stored): Row[] {
    return (JSON.parse(sent) as { data_id?: string; Item?: string }[]).map(
      ({ data_id: rowId, Item = '' }) => {
        const own = record.rows.find(({ id }) => id === rowId);
        const id = own?.id ?? String(++this.lastId);
        return { id, item: this.kept(Item, own?.item), isOurs: own?.isOurs ?? true };
      },
    );
  }
}

const REFUSAL = { status: 'ng', errorno: -1, errormessage: 'no' };

function shown([id, { revision, name, rows, files }]: readonly [string, Stored]): Record<string, unknown> {
  return {
    ID: val(id),
    revision: { val: String(revision), deny_write: 'on' },
    Name: val(name),
    Lines: val(rows.map((row) => ({ data_id: row.id, Item: val(row.item) }))),
    Docs: val({
      attach: files.map((file) => ({
        id: file.id,
        attachdisp: file.name,
        mimetype: 'text/plain',
        url: 'x',
        size: file.size,
      })),
    }),
  };
}
