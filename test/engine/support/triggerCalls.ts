import type { SentCall } from '../../support/triggerEngine';

// The calls of a trigger, by what they ask for, and answers in place of the service's.

/** A read of one of these records, or of any. */
export const isRead = ({ action, form }: SentCall, ...ids: readonly string[]): boolean =>
  action === 'get_data' && (ids.length === 0 || ids.includes(form.get('data_id')!));
export const isList = ({ action }: SentCall): boolean => action === 'list_data';
/** A list of whole records. */
export const isWhole = (call: SentCall): boolean =>
  isList(call) && (call.form.get('fields') ?? '').includes('State');
/** A list of records by their IDs. */
export const isByIds = (call: SentCall): boolean =>
  isList(call) && (call.form.get('filter') ?? '').includes('\\t');
/** A read of one of these records, or of any, or a list of its ID alone. */
export const isOfOne = (call: SentCall, ...ids: readonly string[]): boolean => {
  const [, id] = /"1","operator":"=","value":"(\d+)"/.exec(call.form.get('filter') ?? '') ?? [];
  return (
    isRead(call, ...ids) || (isWhole(call) && id !== undefined && (ids.length === 0 || ids.includes(id)))
  );
};
export const isDownload = ({ action }: SentCall): boolean => action === 'download_data_file';

export interface Answer {
  readonly statusCode: number;
  readonly body: unknown;
}
export const ok = (more: object): Answer => ({ statusCode: 200, body: { status: 'ok', ...more } });
const NG = { status: 'ng', errorno: -1, errormessage: 'W:No [W1]' };
export const ng = (statusCode: number): Answer => ({ statusCode, body: NG });
export const REFUSED = ng(200);
export const BROKEN: Answer = { statusCode: 500, body: '' };
/** That there are no records: as an empty list, and as the error that says so. */
export const EMPTY = ok({ list: { item: [] } });
export const NOTHING: Answer = { statusCode: 200, body: { ...NG, errorno: -110 } };
