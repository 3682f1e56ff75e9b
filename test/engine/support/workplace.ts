import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineOptions, type EngineResult } from '../../support/engine';
import type { HeldCall, HeldCalls } from '../../support/holds';
import { partsOf } from '../../support/parts';
import {
  Sandbox,
  type ApplicationDefinition,
  type CreatedApplication,
  type Fault,
  type LoggedCall,
  type PartDefinition,
  type StoredRecord,
} from '../../support/sandbox';
import { byId, mapped } from './saved';

/** One part of each type that is written in a special way. No identifiers, so nothing is read to find the key mode. */
export const GOODS_PARTS: readonly PartDefinition[] = [
  { name: 'Name', type: 'textbox' },
  { name: 'Price', type: 'number' },
  { name: 'Colours', type: 'checkbox', options: ['red', 'green', 'blue'] },
  { name: 'Kind', type: 'select', options: ['Screw', 'Nut'] },
  ...partsOf({ Due: 'date', Seen: 'datetime', Owner: 'users', Note: 'textarea', Photo: 'files' }),
  { name: 'Lines', type: 'input_list', children: partsOf({ Item: 'textbox', Qty: 'number' }) },
  { name: 'Double', type: 'expression', formula: '{Price} * 2' },
  { name: 'Done By', type: 'textbox', readonly: true },
];

export const GOODS_RECORDS = [
  { Name: 'Bolt', Price: '1200', Colours: ['red', 'blue'], Due: '2026-03-01' },
  { Name: 'Nut', Price: '7' },
];

/** The settings of an operation in addition to the application: saved parameters, and shorthands for the mapper. */
export interface RunSettings {
  /** Values by part; `null` for Map Automatically. */
  readonly values?: Readonly<Record<string, unknown>> | null;
  /** The mapper's matching parts. */
  readonly matchBy?: readonly string[];
  /** How conditions are joined. */
  readonly match?: string;
  readonly options?: INodeParameters;
  readonly [parameter: string]: unknown;
}

/** A sandbox with one application, and the node that writes to it. */
export class Workplace {
  sandbox!: Sandbox;
  engine!: Engine;
  app!: CreatedApplication;
  /** What `useWorkplace` opens, and each row of a table that names no application. */
  usual: Partial<ApplicationDefinition> = {};

  async start(): Promise<void> {
    this.sandbox = await Sandbox.borrow();
    const { baseUrl, accessKey } = this.sandbox;
    this.engine = new Engine({ baseUrl, accessKey });
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
  }

  /** The node with a credential that differs. */
  as(credential: Readonly<Record<string, string>>): Engine {
    const { baseUrl, accessKey } = this.sandbox;
    return new Engine({ baseUrl, accessKey, ...credential });
  }

  /** Creates an application and removes all others; clears the log and the statistics. */
  async open(more: Partial<ApplicationDefinition> = {}): Promise<CreatedApplication> {
    await this.sandbox.reset();
    this.app = await this.sandbox.createApplication({
      name: 'Goods',
      identifier: 'goods',
      parts: GOODS_PARTS,
      records: GOODS_RECORDS,
      ...more,
    });
    return this.app;
  }

  /** The id of a part by its name. */
  part(name: string): string {
    const id = this.app.parts[name];
    if (id === undefined) throw new Error(`There is no part ${name}`);
    return id;
  }

  /** The id of a record that the application was created with. */
  record(index = 0): string {
    const id = this.app.records[index];
    if (id === undefined) throw new Error(`There is no record ${index}`);
    return id;
  }

  async run(operation: string, settings: RunSettings, options: EngineOptions = {}): Promise<EngineResult> {
    return await this.engine.run(this.parameters(operation, settings), options);
  }

  async create(settings: RunSettings, options?: EngineOptions): Promise<EngineResult> {
    return await this.run('create', settings, options);
  }

  async update(settings: RunSettings, options?: EngineOptions): Promise<EngineResult> {
    return await this.run('update', { recordId: this.record(), ...settings }, options);
  }

  async sync(settings: RunSettings, options?: EngineOptions): Promise<EngineResult> {
    return await this.run('sync', settings, options);
  }

  /** Saved parameters of a record operation. */
  parameters(operation: string, { values, matchBy = [], ...rest }: RunSettings): INodeParameters {
    const saved = {
      ...{ resource: 'record', operation, application: byId(this.app.id), options: {} },
      ...(values !== undefined && { parts: mapped(values, matchBy) }),
      ...rest,
    };
    return saved;
  }

  /** All records as they are stored. */
  async stored(): Promise<StoredRecord[]> {
    return await this.sandbox.records(this.app.id);
  }

  /** One of the application's first records, as it is stored. */
  async storedAt(index = 0): Promise<StoredRecord | undefined> {
    return (await this.stored()).find(({ id }) => id === this.record(index));
  }

  /** Does something while matching calls are held, in addition to other faults. */
  async meanwhile(
    which: HeldCalls,
    act: (count: number, call: HeldCall) => unknown,
    others: readonly Fault[] = [],
  ): Promise<void> {
    await this.sandbox.setFaults([...others, await this.sandbox.holdDuring(which, act)]);
  }

  /** Cancels an execution once a matching call arrives. */
  async cancelAt(which: HeldCalls): Promise<Required<Pick<EngineOptions, 'cancel'>>> {
    let stop = (): void => undefined;
    const cancel = new Promise<void>((resolve) => (stop = resolve));
    await this.meanwhile(which, () => stop());
    return { cancel };
  }

  /** Changes one of the first records, as somebody else. */
  async change(values: Readonly<Record<string, unknown>>, index = 0): Promise<void> {
    await this.sandbox.changeRecord(this.app.id, this.record(index), values);
  }

  /** One of these records as Get outputs it. */
  async read(index = 0): Promise<IDataObject> {
    return (await this.run('get', { recordId: this.record(index) })).json[0] ?? {};
  }

  /** Names of the called actions, in order. */
  async actions(): Promise<string[]> {
    return (await this.sandbox.log()).map(({ action }) => action);
  }

  /** Calls of one action. */
  async calls(action: string): Promise<LoggedCall[]> {
    return (await this.sandbox.log()).filter((call) => call.action === action);
  }

  /** Waits until the sandbox has logged this many calls. It logs an aborted call when it has ended it. */
  async noted(action: string, count: number): Promise<void> {
    while ((await this.calls(action)).length < count) await after(2);
  }

  /** Form fields of the calls of one action. If a name was sent twice, the last value. */
  async sent(action: string): Promise<Readonly<Record<string, string>>[]> {
    return (await this.calls(action)).map(({ parameters }) => Object.fromEntries(parameters));
  }
}

/**
 * The workplace of a test file: started before its tests, opened before each, stopped after all.
 * @param application to open before each test; `null` if the tests open it themselves.
 */
export function useWorkplace(application: Partial<ApplicationDefinition> | null = {}): Workplace {
  const place = new Workplace();
  place.usual = application ?? {};
  beforeAll(async () => await place.start());
  if (application !== null) beforeEach(async () => void (await place.open(application)));
  afterAll(async () => await place.stop());
  return place;
}

/** Items with these json objects. */
export function itemsOf(...list: readonly INodeExecutionData['json'][]): INodeExecutionData[] {
  return list.map((json) => ({ json }));
}

/** Resolves after some milliseconds. */
export async function after(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Retry On Fail as the node's settings save it, with almost no wait. */
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } as const;
