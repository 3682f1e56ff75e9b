import type { Call } from '../call/call.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import type { StoredFile } from '../parts/part.ts';
import { Access } from '../records/read/rights.ts';
import type { Application, NotificationType } from '../storage/applications.ts';
import type { DataRecord } from '../storage/dataRecord.ts';
import type { Workbench } from '../records/workbench.ts';

/**
 * The answer of an action: its keys without `status`, as an object or as the JSON text of its members, with the number
 * of items that these list; or a file.
 */
export type Answer =
  | { readonly body: Record<string, unknown>; readonly written?: Written }
  | { readonly members: string; readonly listed?: number }
  | { readonly file: StoredFile };

/** A record that was written and that automatic processing may report. */
export interface Written {
  readonly application: Application;
  readonly record: number;
  readonly type: NotificationType;
}

/** One action of the interface. The service runs one at a time. If it throws, nothing is written. */
export type Action = (call: Call, workbench: Workbench) => Answer;

/** An application that a call names, and what its caller may do with it. */
interface Named {
  readonly application: Application;
  readonly access: Access;
}

/**
 * The application that a call names, if the caller may access it.
 * @throws {@link ServiceError}
 */
export function namedApplication(call: Call, { storage }: Workbench): Named {
  const name = call.parameters.required('app_id');
  const application = storage.applications.find(name);
  if (!application) {
    throw wrongParameter('app_id', `names no application: "${name}"`, 'unknownApplication');
  }
  const access = new Access(call.user, application);
  if (!access.enters) {
    throw wrongParameter(
      'app_id',
      `names an application you have no right to: "${name}"`,
      'noRightToApplication',
    );
  }
  return { application, access };
}

/** The same, for actions on data: the application must be running. */
export function runningApplication(call: Call, workbench: Workbench): Named {
  const named = namedApplication(call, workbench);
  const { status, name } = named.application;
  if (status === 'maintenance') {
    throw new ServiceError(
      'underMaintenance',
      `The application of the parameter app_id is under maintenance: "${name}"`,
    );
  }
  if (status === 'stopped') {
    throw new ServiceError('stopped', `The application of the parameter app_id is stopped: "${name}"`);
  }
  return named;
}

/** The same with the record that `data_id` names, if the caller may read it. */
export function namedRecord(call: Call, workbench: Workbench): Named & { readonly record: DataRecord } {
  const { application, access } = runningApplication(call, workbench);
  const { storage } = workbench;
  const id = call.parameters.required('data_id');
  const record = recordIdOf(id) === undefined ? undefined : storage.records.get(application.id, Number(id));
  if (!record) throw wrongParameter('data_id', `names no data: "${id}"`, 'unknownRecord');
  if (!access.reads(record)) {
    throw wrongParameter('data_id', `names data you have no right to: "${id}"`, 'noRightToRecord');
  }
  return { application, access, record };
}

/** A record ID as a number, if it is one. */
export function recordIdOf(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
