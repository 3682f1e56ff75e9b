import { ATTACHMENTS, key, PARTS, RECORD, type Output, type OutputKey } from './output';

/** The output of the trigger. */
export const TRIGGER_OUTPUT: Output = {
  items:
    "One item for each record that was created, updated or deleted. With Simplify off, the service's own object under `record`.",
  keys: [
    key('event', 'text', '`created`, `updated` or `deleted`'),
    key('id', 'text', 'ID of the record'),
    key('previousRevision', 'number or null', 'the revision before the change; `null` for a created record'),
    ...RECORD.map((each): OutputKey => ({
      ...each,
      only: each.key === 'revision' ? 'not `deleted`' : (each.only ?? ''),
    })),
  ],
  parts: `${PARTS}. Only if it was created or updated`,
  binary: ATTACHMENTS,
};

/** The output of the webhook trigger. */
export const WEBHOOK_OUTPUT: Output = {
  items:
    "One item per notification. With Simplify off, the service's own object under `record` instead of the parts.",
  keys: [
    key('event', 'text', '`created` or `updated`'),
    key('id', 'text', 'ID of the record'),
    ...RECORD.filter((each) => each.key !== 'id').map((each): OutputKey => ({
      ...each,
      only: each.only === undefined || each.only === 'always' ? 'the record was read' : each.only,
    })),
    key('applicationId', 'text', 'ID of the application'),
    key('url', 'text or null', "the record's page in the service; `null` if the notification names none"),
    key('readError', 'text', 'why the record, or its files, could not be read', 'reading failed'),
  ],
  parts: PARTS,
  binary: ATTACHMENTS,
};
