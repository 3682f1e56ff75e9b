import type { StatisticsReport } from '../../sandbox/service/statistics.ts';

// The sandbox's own types, where they are not stricter than a test can be.
export type { NaturalRecord as StoredRecord } from '../../sandbox/definitions/natural.ts';
export type { CallEntry as LoggedCall } from '../../sandbox/service/log.ts';
export type { NotificationEntry as LoggedNotification } from '../../sandbox/service/notifier.ts';
export type { Fault } from '../../sandbox/settings/faults.ts';

/** Counts since the start or the last reset. */
export interface SandboxStatistics extends StatisticsReport {
  readonly mostWaiting: number;
  readonly memoryBytes: number;
}

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
  readonly parts: readonly PartDefinition[];
  readonly automatic?: readonly { on: 'insert' | 'update' | 'both'; part: string; value: string }[];
  readonly records?: readonly Readonly<Record<string, unknown>>[];
}

/** Where an application sends notifications. */
interface NotificationSettings {
  readonly address: string;
  readonly token?: string;
  readonly events?: readonly ('added' | 'updated')[];
  readonly actionName?: string;
}

/** What the control interface can change in an application. */
export interface ApplicationChange {
  readonly name?: string;
  readonly status?: 'running' | 'maintenance' | 'stopped';
  readonly partIdentifierMode?: boolean;
  readonly keywordParts?: readonly string[];
  readonly parts?: Readonly<Record<string, Partial<PartDefinition>>>;
  readonly addParts?: readonly PartDefinition[];
  readonly removeParts?: readonly string[];
  readonly labels?: readonly string[];
  /** `null` for none. */
  readonly notification?: NotificationSettings | null;
}

/** A dialect switch: a question that the interface leaves open, and the possible answers. */
export interface DialectSwitch {
  readonly kind: 'choice' | 'text' | 'amount';
  readonly fallback: unknown;
  /** The possible values of a choice. */
  readonly values?: Readonly<Record<string, string>>;
}
