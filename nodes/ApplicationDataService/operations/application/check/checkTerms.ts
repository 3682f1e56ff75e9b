import type { Part } from '../../../parts/model/part';
import type { ApplicationSession } from '../../../service/application/session';
import type { ServiceClient } from '../../../service/http/client';
import type { RawRecord } from '../../../service/read/recordList';

/** The input of a check. */
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
  /** A text of letters and digits that nobody else has written. */
  readonly mark: string;
}

/** A record that was looked at. */
export interface Sampled {
  readonly id: string | null;
  readonly raw: RawRecord;
}

/** A value of a part, as the service returned it. */
export interface RawValue {
  readonly part: Part;
  readonly val: unknown;
}

/** A record that was added. */
export interface Added {
  readonly id: string;
  /** Key under which the service returned the ID; `null` if it returned none. */
  readonly key: string | null;
}

/** What could not be removed. */
export interface Left {
  readonly ids: readonly string[];
  /** A record may have been added, but its ID never arrived. */
  readonly untraced: boolean;
}
