import { actions } from '../actions/actions.ts';
import type { Answer } from '../actions/action.ts';
import { Notifier } from './notifier.ts';
import { Log, type CallEntry } from './log.ts';
import type { Call, Parameters, UploadedFile } from '../call/call.ts';
import { Clock } from '../settings/clock.ts';
import { defaultDialect, type Dialect } from '../settings/switches.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import { Faults } from '../settings/faults.ts';
import { Queue } from './queue.ts';
import { Statistics } from './statistics.ts';
import type { User } from '../storage/people.ts';
import { Storage } from '../storage/storage.ts';
import { Workbench } from '../records/workbench.ts';

/** A call as it arrived over HTTP. */
export interface IncomingCall {
  readonly module: 'data' | 'suite';
  readonly parameters: Parameters;
  readonly files: readonly UploadedFile[];
  readonly baseUrl: string;
}

/** The Application Data Service: its storage, its dialect and its faults. */
export class Service {
  readonly storage: Storage;
  readonly dialect: Dialect;
  readonly clock = new Clock();
  readonly faults = new Faults();
  readonly log = new Log<CallEntry>(10_000);
  readonly statistics = new Statistics();
  readonly queue: Queue;
  readonly workbench: Workbench;
  readonly notifier: Notifier;

  /** @param path of the database file, or `:memory:` */
  constructor(path: string) {
    this.storage = new Storage(path);
    this.dialect = defaultDialect();
    this.queue = new Queue(this.dialect);
    this.workbench = new Workbench(this.storage, this.dialect, this.clock);
    this.notifier = new Notifier(this.workbench);
  }

  /**
   * The user of an access key.
   * @param accessKey from the header or the parameter; undefined if neither was sent
   * @throws {@link ServiceError} if the key is missing, unknown or switched off
   */
  authenticate(accessKey: string | undefined): User {
    const user = accessKey === undefined ? undefined : this.storage.people.byKey(accessKey);
    if (user) return user;
    throw new ServiceError('badKey', 'The access key is missing or not accepted');
  }

  /**
   * Does the work of a call immediately.
   * @throws {@link ServiceError} if the call is refused; then nothing is written
   */
  perform(incoming: IncomingCall, user: User): Answer {
    const { parameters, files, baseUrl, module } = incoming;
    const name = parameters.required('action');
    const action = actions[module].get(name);
    if (!action) {
      throw wrongParameter('action', `names no action of this module: "${name}"`, 'unknownAction');
    }
    const call: Call = { action: name, parameters, files, user, baseUrl };
    try {
      return action(call, this.workbench);
    } catch (error) {
      throw error instanceof ServiceError ? this.#inDialect(error) : error;
    }
  }

  /** With this dialect, all refusals look the same. */
  #inDialect(error: ServiceError): ServiceError {
    if (this.dialect.refusals === 'distinct' || !hidden.has(error.refusal)) return error;
    return new ServiceError('noRightToApplication', 'You have no right to this, or it does not exist');
  }
}

const hidden = new Set<ServiceError['refusal']>([
  'unknownApplication',
  'noRightToApplication',
  'underMaintenance',
  'stopped',
  'unknownRecord',
  'noRightToRecord',
]);
