import type { Part } from '../../../parts/model/part';
import type { ApplicationSession } from '../../../service/application/session';
import type { ServiceClient } from '../../../service/http/client';
import type { RawRecord } from '../../../service/read/records';

/** What a check is given. */
export interface CheckTerms {
  readonly client: ServiceClient;
  /** A client that sends the access key under another header. */
  readonly clientWithHeader: (name: string) => Promise<ServiceClient>;
  readonly headerName: string;
  /** Application id, or `@` and an identifier; empty for none. */
  readonly reference: string;
  readonly openApplication: (reference: string) => Promise<ApplicationSession>;
  /** Whether records may be added, changed and removed. */
  readonly writeTest: boolean;
  /** The workflow's time zone. */
  readonly timezone: string;
  readonly now: () => number;
  /** A text that nobody else has written: letters and digits. */
  readonly mark: string;
}

/** A record that was looked at. */
export interface Sampled {
  readonly id: string | null;
  readonly raw: RawRecord;
}

/** A value of a part, as it came. */
export interface RawValue {
  readonly part: Part;
  readonly val: unknown;
}
