import { ATTACHMENTS, key, PARTS, RECORD, type Output, type OutputKey } from './output';

const PER_ITEM = 'One item per input item, in the same order.';
const DRY_RUN = 'Dry Run';
const RETURN_RECORD = 'Return Record';

const recordId = key('recordId', 'text', 'ID of the record');
const dryRun = key('dryRun', 'true or false', '`true`: nothing was written', DRY_RUN);
const request = key(
  'request',
  'object',
  'the form fields that would be sent',
  `${DRY_RUN}, if something would be sent`,
);
const changes = key(
  'changes',
  'object',
  'by part: `from`, the value now, and `to`; a new record has `to` only',
  `${DRY_RUN}, if something would change`,
);

const returned = RECORD.map((each): OutputKey => ({ ...each, only: RETURN_RECORD }));
const RETURNED_PARTS = `${PARTS}. Only with Return Record`;

const written = (outcomes: string, id: OutputKey): Output => ({
  items: PER_ITEM,
  keys: [id, key('outcome', 'text', outcomes), ...returned, dryRun, request, changes],
  parts: RETURNED_PARTS,
});

/** The output of a row operation with Return Record, in addition to its own keys. */
const rowRecord: readonly OutputKey[] = [key('id', 'text', 'ID of the record', RETURN_RECORD), ...returned];

const read = (items: string): Output => ({
  items: `${items} With Simplify off, the service's own object instead of these keys.`,
  keys: [key('id', 'text or null', 'ID of the record'), ...RECORD],
  parts: PARTS,
  binary: ATTACHMENTS,
});

/** A file, as Download and Get Many tell of it. */
const FILE: readonly OutputKey[] = [
  recordId,
  key('rowId', 'text', 'ID of the row', 'the part is in a table part'),
  key('id', 'text', 'ID of the file'),
  key('name', 'text', 'its name, without folders and control characters'),
  key('mimeType', 'text', 'its type'),
  key('size', 'number or null', 'its length in bytes'),
];

const APPLICATION: readonly OutputKey[] = [
  key('id', 'text', 'ID of the application'),
  key('name', 'text', 'its name'),
  key('status', 'text', 'its state in the words of the service, e.g. `running`'),
];
const ICONS: readonly OutputKey[] = [
  key('portalIcon', 'text', 'address of its icon'),
  key('palletMenuIcon', 'text', 'address of its small icon'),
];

/** The output of each operation, by resource and operation. A test runs them all and compares. */
export const OUTPUTS: Readonly<Record<string, Output>> = {
  'application.check': {
    items: 'One item per question, see [check](../check.md#the-questions).',
    keys: [
      key('area', 'text', 'what the question is about'),
      key('question', 'text', 'the question'),
      key('answer', 'text', 'what the service does'),
      key('verdict', 'text', '`ok`, `handled`, `limited`, `problem` or `unknown`'),
      key('consequence', 'text', 'what it means for you; for `unknown`, how to find out'),
    ],
    binary: 'With the first item: the report, in the field set by Put Output File in Field.',
  },
  'application.get': {
    items: `${PER_ITEM} With Simplify off, the service's own object instead of these keys.`,
    keys: [
      ...APPLICATION,
      key('overview', 'text', 'its description'),
      ...ICONS,
      key(
        'parts',
        'list of objects',
        'the parts, each with `id`, `name`, `identifier`, `type`, `readOnly`, `system`, `reference`, `options`, `allowOther`, `timeUnit` and `children`, the parts of a table',
      ),
    ],
  },
  'application.getAll': {
    items: 'One item per application.',
    keys: [...APPLICATION, key('overviewText', 'text', 'its description, as plain text'), ...ICONS],
  },
  'attachment.delete': {
    items: PER_ITEM,
    keys: [
      key('deleted', 'true or false', 'whether a file was removed for this item'),
      recordId,
      key('outcome', 'text', '`deleted`, or `notFound` if none of the files exists'),
      key('ids', 'list of texts', 'IDs of the files that were removed'),
      key('notFound', 'list of texts', 'IDs that match no file'),
    ],
  },
  'attachment.download': {
    items: 'One item per file; no items if there are no files.',
    keys: FILE,
    binary: 'The file, in the field set by Put Output File in Field.',
  },
  'attachment.getAll': { items: 'One item per file; no items if there are no files.', keys: FILE },
  'attachment.upload': {
    items: PER_ITEM,
    keys: [
      recordId,
      key('outcome', 'text', '`updated`'),
      key('files', 'list of texts', 'the names that the service stores for the files'),
    ],
  },
  'label.getAll': {
    items: 'One item per label.',
    keys: [
      key('id', 'text', 'ID of the label'),
      key('name', 'text', 'its name'),
      key('color', 'text', 'its color, as the service names it'),
      key('parentId', 'text or null', 'ID of the label above it; `null` at the top'),
    ],
  },
  'record.count': { items: PER_ITEM, keys: [key('count', 'number', 'how many records there are')] },
  'record.create': written('`created`', key('id', 'text', 'ID of the new record', 'it was written')),
  'record.delete': {
    items: PER_ITEM,
    keys: [
      key('deleted', 'true or false', 'whether a record was deleted for this item'),
      key('ids', 'list of texts', 'IDs of the records that were deleted, or would be'),
      key('notFound', 'list of texts', 'IDs that match no record'),
      key('outcome', 'text', '`deleted`, or `notFound` if none of the records exists'),
      dryRun,
    ],
  },
  'record.export': {
    items: PER_ITEM,
    keys: [key('count', 'number', 'how many records the file contains')],
    binary: 'The file, in the field set by Put Output File in Field. It is named after the application.',
  },
  'record.get': read(PER_ITEM),
  'record.getAll': read('One item per record.'),
  'record.sync': {
    items:
      'One item per input item, in the same order, followed by one per record that was, or was to be, deleted. These are paired with the first item, and come first in a dry run.',
    keys: [
      key('id', 'text', 'ID of the record', 'it was written or already exists'),
      key(
        'outcome',
        'text',
        '`created`, `updated`, `unchanged`; for a record that is not in the input `deleted`, or `conflict` if someone changed it just before',
      ),
      dryRun,
      request,
      changes,
    ],
    parts: 'Records that are not in the input: one key per part to match on',
  },
  'record.update': written(
    '`updated`, `unchanged` (Skip Unchanged) or `conflict` (If the Record Was Changed: Skip)',
    key('id', 'text', 'ID of the record'),
  ),
  'record.upsert': written(
    '`created`, `updated`, `unchanged` or `conflict` (If the Record Was Changed: Skip)',
    key('id', 'text', 'ID of the record', 'it was written or already exists'),
  ),
  'tableRow.add': {
    items: PER_ITEM,
    keys: [recordId, key('outcome', 'text', '`created`'), ...rowRecord, dryRun, request, changes],
    parts: RETURNED_PARTS,
  },
  'tableRow.delete': {
    items: PER_ITEM,
    keys: [
      key('deleted', 'true or false', 'whether a row was deleted for this item'),
      recordId,
      key('ids', 'list of texts', 'IDs of the rows that were deleted'),
      key('notFound', 'list of texts', 'IDs that match no row'),
      key('outcome', 'text', '`deleted`, or `notFound` if none of the rows exists'),
      ...rowRecord,
      dryRun,
      request,
      changes,
    ],
    parts: RETURNED_PARTS,
  },
  'tableRow.getAll': {
    items: 'One item per row.',
    keys: [key('id', 'text or null', 'ID of the row; `null` if the service returns none'), recordId],
    parts: 'One key per part of the table, see [values](../values.md)',
  },
  'tableRow.update': {
    items: PER_ITEM,
    keys: [
      recordId,
      key('rowId', 'text', 'ID of the row'),
      key('outcome', 'text', '`updated`, `unchanged` (Skip Unchanged) or `notFound`'),
      ...rowRecord,
      dryRun,
      request,
      changes,
    ],
    parts: RETURNED_PARTS,
  },
};
