import type { INodeExecutionData } from 'n8n-workflow';

import { partsOf } from '../../support/parts';
import type { ApplicationDefinition } from '../../support/sandbox';
import { LINES, rowOf, withFiles } from './rows';
import type { RunSettings } from './workplace';

/** An application with a part of each kind that outputs show. */
export const ORDERS: Partial<ApplicationDefinition> = {
  parts: [...partsOf({ Company: 'textbox', Secret: 'textbox', Files: 'files' }), LINES],
  records: [
    {
      Company: 'Acme',
      Files: [{ name: 'a.txt', text: 'a' }],
      Lines: [{ Item: 'Bolt', Qty: '3', Plan: [{ name: 'plan.txt', text: 'plan' }] }],
    },
    { Company: 'Beta' },
  ],
};

/** One run of an operation: its parameters, and the files of its input item. */
export interface Run {
  readonly parameters: RunSettings;
  readonly binary?: INodeExecutionData['binary'];
}

const run = (parameters: RunSettings = {}, { binary }: Partial<INodeExecutionData> = {}): Run => ({
  parameters,
  ...(binary && { binary }),
});
const options = (more: RunSettings['options']): RunSettings => ({ ...(more && { options: more }) });
const record = { recordId: '1' };
const file = { resource: 'attachment', ...record, attachmentPart: 'Files' };
const upload = withFiles({ data: { name: 'b.txt', text: 'b' } });
const values = { Company: 'Ceres' };
const matchBy = ['Company'];
/** Each item has a different key. */
const ownValues = { Company: '={{ "Ceres " + $itemIndex }}' };

/**
 * Runs of every operation. Their input item has the ID of a file as `file`. Together they show each key of the output,
 * by resource and operation.
 */
export const RUNS: Readonly<Record<string, readonly Run[]>> = {
  'application.check': [run({ resource: 'application' })],
  'application.get': [run({ resource: 'application' })],
  'application.getAll': [run({ resource: 'application' })],
  'attachment.delete': [run({ ...file, attachmentIds: '={{ $json.file }},99' })],
  'attachment.download': [run(file), run({ ...file, attachmentPart: 'Lines.Plan' })],
  'attachment.getAll': [run(file), run({ ...file, attachmentPart: 'Lines.Plan' })],
  'attachment.upload': [run({ ...file, binaryPropertyName: 'data' }, upload)],
  'label.getAll': [run({ resource: 'label' })],
  'record.count': [run()],
  'record.create': [
    run({ values }),
    run({ values, ...options({ returnRecord: true }) }),
    run({ values, ...options({ dryRun: true }) }),
  ],
  'record.delete': [run({ recordId: '1,99' }), run({ recordId: '2', ...options({ dryRun: true }) })],
  'record.export': [run({ format: 'csv' })],
  'record.get': [run(record)],
  'record.getAll': [run()],
  'record.sync': [
    run({
      values: ownValues,
      matchBy,
      missing: 'delete',
      options: { allowMostRemovals: true, dryRun: true },
    }),
    run({ values: ownValues, matchBy, missing: 'delete', options: { allowMostRemovals: true } }),
  ],
  'record.update': [
    run({ ...record, values }),
    run({ ...record, values, ...options({ returnRecord: true }) }),
    run({ ...record, values: { Company: 'Dorn' }, ...options({ dryRun: true }) }),
  ],
  'record.upsert': [
    run({ values, matchBy }),
    run({ values, matchBy, ...options({ returnRecord: true }) }),
    run({ values: { Company: 'Dorn' }, matchBy, ...options({ dryRun: true }) }),
  ],
  'tableRow.add': [
    run(rowOf({ Item: 'Nut' })),
    run(rowOf({ Item: 'Nut' }, options({ dryRun: true }))),
    run(rowOf({ Item: 'Nut' }, options({ returnRecord: true }))),
  ],
  'tableRow.delete': [
    run({ ...rowOf({}), rowId: '1,99', ...options({ dryRun: true }) }),
    run({ ...rowOf({}), rowId: '99', ...options({ returnRecord: true }) }),
    run({ ...rowOf({}), rowId: '1,99' }),
  ],
  'tableRow.getAll': [run(rowOf({}))],
  'tableRow.update': [
    run(rowOf({ Item: 'Nut' }, { rowId: '1' })),
    run(rowOf({ Item: 'Nail' }, { rowId: '1', ...options({ dryRun: true }) })),
    run(rowOf({ Item: 'Nail' }, { rowId: '1', ...options({ returnRecord: true }) })),
  ],
};
