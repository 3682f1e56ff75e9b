/** How a test starts a sandbox. */
export interface SandboxStart {
  /** Database file; in memory if left out. */
  readonly data?: string;
  /** Port of the data module; a free one if left out. */
  readonly port?: number;
  /** Also creates an application with this many records (identifier `large`). */
  readonly records?: number;
  /** Dialect switches to start with. */
  readonly dialect?: Readonly<Record<string, unknown>>;
}

/** A record as it is stored: values by part name, without empty parts. */
export interface StoredRecord {
  readonly id: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A created application: its id, and the ids of its parts by name (for a child part: `Table.Child`). */
export interface CreatedApplication {
  readonly id: string;
  readonly name: string;
  readonly identifier: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly records: readonly string[];
}

/** A part of an application to create; every field is described in docs/dev/sandbox.md, "Control". */
export interface PartDefinition {
  readonly name: string;
  readonly type: string;
  readonly identifier?: string;
  readonly options?: readonly string[];
  readonly allowOther?: boolean;
  readonly readonly?: boolean;
  readonly required?: boolean;
  readonly timeUnit?: number;
  readonly formula?: string;
  readonly resultType?: 'number' | 'text' | 'date' | 'time' | 'datetime';
  readonly reference?: {
    readonly application: string;
    readonly key: string;
    readonly match: string;
    readonly part: string;
  };
  readonly relation?: { readonly application: string; readonly key: string; readonly match: string };
  readonly lookup?: {
    readonly application: string;
    readonly match: string;
    readonly copies: Readonly<Record<string, string>>;
  };
  readonly source?: string;
  readonly children?: readonly PartDefinition[];
}

/** An application to create; every field is described in docs/dev/sandbox.md, "Control". */
export interface ApplicationDefinition {
  readonly name: string;
  readonly identifier?: string;
  readonly status?: 'running' | 'maintenance' | 'stopped';
  readonly overview?: string;
  readonly creator?: string;
  readonly labels?: readonly string[];
  readonly favorites?: readonly string[];
  readonly partIdentifierMode?: boolean;
  readonly keywordParts?: readonly string[];
  readonly systemIdentifiers?: Readonly<Record<string, string>>;
  readonly systemParts?: 'first' | 'last';
  readonly parts: readonly PartDefinition[];
  readonly automatic?: readonly { on: 'insert' | 'update' | 'both'; part: string; value: string }[];
  readonly records?: readonly Readonly<Record<string, unknown>>[];
}

/** A fault to set; docs/dev/sandbox.md, "Faults", describes each kind. Times in milliseconds. */
export type Fault = {
  readonly action?: string;
  readonly guarded?: boolean;
  readonly times?: number;
  readonly skip?: number;
} & (
  | {
      readonly kind: 'latency';
      readonly where: 'network' | 'work';
      readonly ms: number;
      readonly jitterMs?: number;
      readonly itemMs?: number;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string | number;
      readonly body?: string;
      readonly when?: 'before' | 'after';
    }
  | {
      readonly kind: 'ng';
      readonly errorno: number;
      readonly message: string;
      readonly partKey?: string;
      readonly status?: number;
      readonly when?: 'before' | 'after';
    }
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | { readonly kind: 'cut'; readonly share?: number; readonly how?: 'clean' | 'abort' }
  | { readonly kind: 'html'; readonly status?: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  | { readonly kind: 'down'; readonly ms: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'hold'; readonly address: string; readonly when?: 'before' | 'after' }
);

/** One call in the sandbox's log. */
export interface LoggedCall {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly action: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly files: readonly { readonly field: string; readonly name: string; readonly size: number }[];
  readonly user: string;
  /** 0 if the connection was dropped. */
  readonly httpStatus: number;
  readonly outcome: string;
  readonly errorno?: number;
  readonly faults: readonly string[];
  readonly waitedMs: number;
  readonly workMs: number;
}

/** Counts since the start or the last reset. */
export interface SandboxStatistics {
  readonly calls: number;
  readonly callsByAction: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly mostInFlight: number;
  readonly mostWaiting: number;
  readonly memoryBytes: number;
}

/** Where an application sends notifications. */
interface NotificationSettings {
  readonly address: string;
  readonly token?: string;
  readonly events?: readonly ('added' | 'updated')[];
  readonly actionName?: string;
}

/** One notification in the sandbox's log. */
export interface LoggedNotification {
  readonly number: number;
  readonly application: string;
  readonly record: string;
  readonly type: string;
  readonly address: string;
  /** 0 if there was no answer. */
  readonly httpStatus: number;
  readonly outcome: string;
  readonly answer: string;
  readonly ms: number;
}

/** What the control interface can change in an application. */
export interface ApplicationChange {
  readonly name?: string;
  readonly status?: 'running' | 'maintenance' | 'stopped';
  readonly partIdentifierMode?: boolean;
  readonly keywordParts?: readonly string[];
  readonly favorites?: readonly string[];
  readonly parts?: Readonly<Record<string, Partial<PartDefinition>>>;
  readonly addParts?: readonly PartDefinition[];
  readonly removeParts?: readonly string[];
  readonly labels?: readonly string[];
  /** `null` for none. */
  readonly notification?: NotificationSettings | null;
}

/** A dialect switch: a question that the interface leaves open, and the possible answers. */
export interface DialectSwitch {
  readonly kind: 'choice' | 'text' | 'amount' | 'types';
  readonly fallback: unknown;
  /** The possible values of a choice. */
  readonly values?: Readonly<Record<string, string>>;
}
