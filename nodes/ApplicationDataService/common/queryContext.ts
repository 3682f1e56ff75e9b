import type { KeyMode, Part } from '../parts/model/part';

/** The context in which a query is read. */
export interface QueryContext {
  /** The application's parts. */
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone of the service's dates and times. Values with an offset are converted to it. */
  readonly timezone: string;
}
