import type { EventEmitter } from 'node:events';
import type { Service } from '../service/service.ts';

/** The addresses of a running sandbox, as `--json` prints them. */
export interface Addresses {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly controlUrl: string;
}

/** The events of a sandbox: control changed something, named by the first word of its path, e.g. `dialect`. */
export interface SandboxEvents {
  changed: [what: string];
}

/** A running sandbox, as control uses it: its service, its data listener, and its watchers. */
export interface Controlled extends EventEmitter<SandboxEvents> {
  readonly service: Service;
  readonly addresses: Addresses;
  /** Accepts calls at the data port; after {@link stopListening}, at the same port again. */
  listen(): Promise<void>;
  /** Refuses connections and closes the open ones, like a service that is down. */
  stopListening(): Promise<void>;
  /** Restores the samples and all defaults. */
  reset(): Promise<void>;
}
