import type { Service } from '../service/service.ts';

/** The addresses of a running sandbox, as `--json` prints them. */
export interface Addresses {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly controlUrl: string;
}

/** A running sandbox, as control uses it: its service and its data listener. */
export interface Controlled {
  /** They are told what control changed: the first word of its path, e.g. `dialect`. */
  readonly watchers: Set<(what: string) => void>;
  readonly service: Service;
  readonly addresses: Addresses;
  /** Accepts calls at the data port; after {@link stopListening}, at the same port again. */
  listen(): Promise<void>;
  /** Refuses connections and closes the open ones, like a service that is down. */
  stopListening(): Promise<void>;
  /** Restores the samples and all defaults. */
  reset(): Promise<void>;
}
