import { readAnswer, type Answer } from '../../../../../nodes/ApplicationDataService/service/http/answer';
import type { ServiceClient } from '../../../../../nodes/ApplicationDataService/service/http/client';
import {
  asWriteFailure,
  toServiceError,
} from '../../../../../nodes/ApplicationDataService/service/http/errors';
import type { FormField, FormFile } from '../../../../../nodes/ApplicationDataService/service/http/multipart';
import { connectionFailure } from '../../../../../nodes/ApplicationDataService/service/http/transport';
import { val } from '../../support/preparedClient';

/** The file that is uploaded. */
export const FILE = { name: 'a.txt', size: 3 };

/** What another writer does, each one a write of its own. */
const RIVALS = {
  touch: (record: Stored) => void (record.note += '.'),
  sameName: (record: Stored) => void (record.name = 'mine'),
  otherName: (record: Stored) => void (record.name = 'theirs'),
  sameRow: ({ rows }: Stored) => rows.slice(0, 1).forEach((row) => (row.item = 'mine')),
  otherRow: ({ rows }: Stored) => rows.slice(0, 1).forEach((row) => (row.item = 'theirs')),
  addEqual: ({ rows }: Stored, id: string) => void rows.push({ id, item: 'new', isOurs: false }),
  addOther: ({ rows }: Stored, id: string) => void rows.push({ id, item: 'x', isOurs: false }),
  removeRow: ({ rows }: Stored) => void rows.shift(),
  removeAdded: (record: Stored) => void (record.rows = record.rows.filter(({ isOurs }) => !isOurs)),
  addEqualFile: ({ files }: Stored, id: string) => void files.push({ ...FILE, id, isOurs: false }),
  addOtherFile: ({ files }: Stored, id: string) =>
    void files.push({ id, name: 'b.txt', size: 9, isOurs: false }),
  removeFile: ({ files }: Stored) => void files.shift(),
  removeAddedFile: (record: Stored) => void (record.files = record.files.filter(({ isOurs }) => !isOurs)),
  delete: (record: Stored) => void (record.exists = false),
} as const;

/** How a call of ours fails: when its work is done, if ever, and what is said; without words, the answer is lost. */
const FAILURES = {
  lostBefore: {},
  lostAfter: { isDone: true },
  /** Its work comes just before our next call, just before the one after, after the last. */
  late: { dueAfter: 0 },
  later: { dueAfter: 1 },
  atEnd: { dueAfter: Infinity },
  doneRefused: { isDone: true, status: 200 },
  refused: { status: 200 },
  failedAfter: { isDone: true, status: 500 },
} as const satisfies Record<string, { isDone?: true; dueAfter?: number; status?: number }>;

export type Rival = keyof typeof RIVALS;
export type Fault = keyof typeof FAILURES;
export const FAULTS = Object.keys(FAILURES) as readonly Fault[];

/** The answer of every write is lost, that of reads is not. */
type LastingFault = 'lostAfterWrite';

/** Something that happens just before one of our calls, or to it. */
export interface Happening {
  readonly at: number;
  readonly what: Rival | Fault | LastingFault;
}

export const isFault = (what: Happening['what']): what is Fault | LastingFault => !(what in RIVALS);

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

type Fields = ReadonlyMap<string, string>;
type Work = () => Answer | 'refused';

const REFUSAL = { status: 'ng', errorno: -1, errormessage: 'no' };

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
    return {
      call,
      callStreamed: call,
      wait: nothing,
      address: 'x',
      keyWorks: true,
    } as unknown as ServiceClient;
  }

  /** Does what is still to arrive after the last call. */
  end(): void {
    this.calls = Infinity;
    this.arrive();
  }

  private answer(action: string, fields: Fields, files: readonly FormFile[], isWrite: boolean): Answer {
    const at = this.calls++;
    const now = this.history.flatMap((each) => (each.at === at ? [each.what] : []));
    for (const what of now) if (!isFault(what)) this.rival(what);
    this.arrive();
    const work: Work = isWrite ? () => this.write(action, fields, files) : () => this.read(action, fields);
    const said = (answer: Answer | 'refused', status = 200): Answer =>
      readAnswer(
        { status, headers: {}, body: answer === 'refused' ? REFUSAL : { status: 'ok', ...answer } },
        { action, address: 'https://x/appsr.cgi', keyWorks: true },
      );
    const fault = now.find(isFault);
    if (fault === undefined || (fault === 'lostAfterWrite' && !isWrite)) return said(work());
    const how = fault === 'lostAfterWrite' ? 'lostAfter' : fault;
    const { isDone, dueAfter, status }: { isDone?: true; dueAfter?: number; status?: number } = FAILURES[how];
    if (isDone) work();
    if (dueAfter !== undefined)
      this.pending.push({ due: Math.min(this.calls + dueAfter, Number.MAX_SAFE_INTEGER), work });
    if (status !== undefined) return said('refused', status);
    throw connectionFailure({ code: 'ECONNRESET' }, 'https://host.example/dneo/');
  }

  private arrive(): void {
    const due = this.pending.filter((each) => each.due < this.calls);
    this.pending = this.pending.filter((each) => each.due >= this.calls);
    due.forEach(({ work }) => work());
  }

  private rival(what: Rival, record = this.records.get('12')): void {
    if (record?.exists !== true) return;
    RIVALS[what](record, String(++this.lastId));
    record.revision++;
    this.changed(this);
  }

  private read(action: string, fields: Fields): Answer | 'refused' {
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

  private write(action: string, fields: Fields, files: readonly FormFile[]): Answer | 'refused' {
    const isInsert = action === 'insert_data';
    const id = isInsert ? String(++this.lastId) : (fields.get('data_id') ?? '');
    const empty = { exists: true, revision: 0, name: '', note: '', rows: [], files: [], isOurs: true };
    if (isInsert) this.records.set(id, empty);
    const record = this.records.get(id);
    const checked = Number(fields.get('{{revision}}') ?? 0);
    if (record?.exists !== true || (checked !== 0 && checked !== record.revision)) return 'refused';
    record.revision++;
    record.name = this.kept(fields.get('{{Name}}'), record.name);
    const rows = fields.get('{{Lines}}');
    if (rows !== undefined) record.rows = this.rowsOf(rows, record);
    const gone = fields.get('{{Docs}}.del_attachment_id');
    record.files = record.files.filter((file) => file.id !== gone);
    for (const { content } of files) {
      const { fileName, size } = content;
      record.files.push({ id: String(++this.lastId), name: fileName, size, isOurs: true });
    }
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
    return (JSON.parse(sent) as { data_id?: string; Item?: string }[]).map(({ data_id, Item = '' }) => {
      const own = record.rows.find(({ id }) => id === data_id);
      const id = own?.id ?? String(++this.lastId);
      return { id, item: this.kept(Item, own?.item), isOurs: own?.isOurs ?? true };
    });
  }
}

function shown([id, { revision, name, rows, files }]: readonly [string, Stored]): Record<string, unknown> {
  const attach = files.map((file) => ({
    ...{ id: file.id, attachdisp: file.name, mimetype: 'text/plain', url: 'x', size: file.size },
  }));
  return {
    ...{ ID: val(id), revision: { val: String(revision), deny_write: 'on' }, Name: val(name) },
    Lines: val(rows.map((row) => ({ data_id: row.id, Item: val(row.item) }))),
    Docs: val({ attach }),
  };
}
