import type {
  IBinaryData,
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeParameters,
  NodeParameterValueType,
} from 'n8n-workflow';

import { emptyParameter } from '../../common/errors';
import { requiredApplication, locatedIds } from '../../common/properties';
import { readSetting, readSettings, type Setting, type Settings, type Values } from '../../common/setting';
import { namePart } from '../../parts/model/errors';
import type { Directory, WriteContext } from '../../parts/model/part';
import { isRounded } from '../../parts/values/decimal';
import { counted } from '../../parts/values/describe';
import { isOmitted } from '../../parts/values/given';
import { isObject, readText } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication, ServiceSession } from '../../service/application/session';
import { NAMES_NOT_READ, readNames } from '../../service/read/people';
import type { RawRecord } from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import type { Checkpoint } from '../../service/write/checkpoint';
import type { NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import type { Hints } from './hints';
import type { WriteMemory } from './memory';

export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: ServiceSession;
  readonly parameters: Parameters;
  readonly memory: WriteMemory;
  readonly hints: Hints;
  /** Whether an AI agent runs the node, as a tool. */
  readonly byAgent: boolean;
}

/** One input item as an operation sees it. */
export class Item {
  /** Which IDs belong to which names; read if the item names people. */
  people: Directory | undefined;

  /** The records that it names, or that were found by its key, for the details of a failure. */
  recordIds: readonly string[] | undefined;

  constructor(
    readonly run: Run,
    readonly index: number,
    readonly json: IDataObject,
    /** Its files, and those that expressions return for it. */
    public binary: IBinaryKeyData,
  ) {}

  /** A whole parameter. A language model fills in every one it is offered: an empty one means the fallback. */
  value(name: string, fallback?: string | object): unknown {
    const value = this.run.parameters.get(name, this.index, fallback);
    return this.run.byAgent && isOmitted(value) ? fallback : value;
  }

  /** Time zone of the service's dates and times: the credential's, else the workflow's. */
  get timezone(): string {
    return this.run.session.client.timeZone || this.run.context.getTimezone();
  }

  /** Hints at a date that falls on another day in a zone that nobody chose for the service. */
  get onMovedDay(): WriteContext['onMovedDay'] {
    const { context, hints, session } = this.run;
    if (session.client.timeZone !== '') return undefined;
    return (part) =>
      hints.once(
        `A date for part ${namePart(part)} became another day when it was converted to the workflow's time zone, ${context.getTimezone()}. If the service is in another time zone, set it in the credential`,
        'moved days',
      );
  }

  /** @throws UserError for a value that cannot be read. */
  get<T>(setting: Setting<T>): T {
    const { parameters, byAgent } = this.run;
    const { name, default: fallback } = setting.property;
    return readSetting(setting, parameters.get(name, this.index, fallback), byAgent);
  }

  /** @throws UserError for the first option that cannot be read. */
  options<S extends Settings>(settings: S): Values<S> {
    const { parameters, byAgent } = this.run;
    return parameters.derived(['options'], settings, () =>
      readSettings(settings, this.value('options', {}), byAgent),
    );
  }

  /** A text parameter, trimmed. @throws UserError when it is empty. */
  requiredText(name: string, label: string): string {
    const value = locatedIds(this.value(name, ''));
    assertExact(value);
    const text = this.run.byAgent && isOmitted(value) ? '' : readText(value).trim();
    if (text !== '') return text;
    throw emptyParameter(label);
  }

  /** The application that the item is for, read once per run; `asStream`, so that the client can make others. */
  async application(asStream = false): Promise<ApplicationSession> {
    return await this.run.session.application(this.namedApplication().reference, asStream);
  }

  /** The application by its reference alone, for operations that need none of its parts: nothing is read. */
  namedApplication(): NamedApplication {
    const reference = requiredApplication(this.value('application', ''));
    return { client: this.run.session.client, reference };
  }

  async record(app: NamedApplication, id: string, loadReferenceLists: boolean): Promise<RawRecord> {
    const question = ['record', app.reference, id, loadReferenceLists];
    const read = async (): Promise<RawRecord> => await readRecord(app, id, loadReferenceLists);
    return await this.run.session.once(question, read);
  }

  /**
   * Reads which IDs belong to which names in the item's application. Each use of a name becomes a hint.
   * @param named the refusal of the names, which stands where the application is too large to be read.
   */
  async learnPeople(named: UserError): Promise<void> {
    const app = await this.application();
    const names = await readNames(app);
    if (names === null) throw named.reworded(named.message, `${named.description}\n${NAMES_NOT_READ}`);
    const { hints } = this.run;
    const read = counted(names.records, 'record');
    this.people = {
      idsOf: (kind, text) => [...(names[kind].get(text) ?? [])],
      texts: (kind) => names[kind].keys(),
      chosen: (kind, text, id) => {
        const noun = kind === 'users' ? 'user' : 'group';
        hints.once(`"${text}" was matched to the ${noun} with the ID ${id}`, 'matched people');
        hints.once(`To match names, the node read ${read} of "${app.application.name}"`);
      },
    };
  }

  /**
   * The checkpoint of this item's write, when it begins.
   * @param recordId empty where the item does not say which record it is.
   * @param values all that is sent besides the files of the items that are written together.
   * @throws ServiceError as the memory's.
   */
  checkpoint(
    { application }: ApplicationSession,
    recordId: string,
    values: unknown,
    [first, ...others]: NonEmpty<Item> = [this],
  ): Checkpoint {
    const files = [first, ...others].map(({ binary }) =>
      Object.values(binary).map(({ fileName, id, data }: Partial<IBinaryData>) => [
        fileName,
        id ?? data?.length,
      ]),
    );
    const { memory, hints } = this.run;
    const indexes = [first.index, ...others.map(({ index }) => index)] as const;
    return memory.checkpoint(indexes, [application.id, recordId], [values, files], () =>
      hints.add(
        'Not written again: an earlier try has written it, with other values than its expressions return now',
      ),
    );
  }
}

/** @throws UserError for a large number, which JavaScript has rounded: it may be the ID of something else. */
export function assertExact(value: unknown): void {
  if (!isRounded(value)) return;
  throw new UserError(
    'An ID is too large for a number',
    'Pass it as text: in quotation marks, or as comma-separated text without brackets.',
  );
}

/** The node's parameters. What they hold is read once for all items, what their expressions return once for each. */
export class Parameters {
  /** As the workflow holds them: with expressions, not what they return. */
  readonly saved: INodeParameters;

  private readonly varying: ReadonlySet<string>;
  private readonly fixed = new Map<string, unknown>();
  private readonly made = new Map<object, unknown>();
  /** What the expressions returned for one item. */
  private own = { item: NaN, values: new Map<string, unknown>() };

  constructor(private readonly context: IExecuteFunctions) {
    // n8n copies the whole node each time.
    this.saved = context.getNode().parameters;
    const all = Object.entries(this.saved);
    this.varying = new Set(all.flatMap(([name, value]) => (containsExpression(value) ? name : [])));
  }

  /** The value as saved, or as its expressions return it for this item. `fallback` if the workflow has none. */
  get(name: string, item: number, fallback?: unknown): unknown {
    if (this.own.item !== item) this.own = { item, values: new Map() };
    const values = this.varying.has(name) ? this.own.values : this.fixed;
    if (!values.has(name)) values.set(name, this.read(name, item, fallback));
    return values.get(name);
  }

  private read(name: string, item: number, fallback: unknown): unknown {
    const saved: unknown = this.saved[name];
    // n8n refuses all of a mapping if one field holds an expression with nothing in it.
    const hasEmpty =
      isObject(saved) && isObject(saved.value) && Object.values(saved.value).some(isEmptyExpression);
    return hasEmpty
      ? this.withoutEmpty(saved, item)
      : this.context.getNodeParameter(name, item, fallback as NodeParameterValueType | undefined);
  }

  /**
   * A value derived from parameters, computed once if they are the same for every item, and if it does not throw.
   * @param by identifies it: the same object for each item, a different one for each derived value.
   */
  derived<T>(names: readonly string[], by: object, make: () => T): T {
    if (this.made.has(by)) return this.made.get(by) as T;
    const value = make();
    if (!names.some((name) => this.varying.has(name))) this.made.set(by, value);
    return value;
  }

  /** As `derived`, a value that the first item asks the service for: the others have it at once. */
  shared<T>(names: readonly string[], by: object, ask: () => Promise<T>): T | Promise<T> {
    return this.derived(names, by, () => {
      const asking = ask();
      const keep = (answer: T): unknown => this.made.has(by) && this.made.set(by, answer);
      // Who waits for it is told of a failure; the next item asks again.
      asking.then(keep, () => this.made.delete(by));
      return asking;
    });
  }

  private withoutEmpty(saved: unknown, item: number): unknown {
    if (isEmptyExpression(saved)) return '';
    if (typeof saved === 'string' && saved.startsWith('='))
      return this.context.evaluateExpression(saved.slice(1), item);
    if (Array.isArray(saved)) return saved.map((each) => this.withoutEmpty(each, item));
    if (!isObject(saved)) return saved;
    const entries = Object.entries(saved).map(([key, each]) => [key, this.withoutEmpty(each, item)]);
    return Object.fromEntries(entries) as unknown;
  }
}

/** Whether a saved value is an expression with nothing in it. */
export function isEmptyExpression(saved: unknown): boolean {
  return typeof saved === 'string' && /^=\s*(\{\{\s*\}\}\s*)?$/.test(saved);
}

function containsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsExpression);
}
