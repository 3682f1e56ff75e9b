import type { ApplicationDefinition } from '../definitions/definition.ts';

/** Purchase requests: in part identifier mode, with one part that has no identifier and stays out of answers. */
export const requests: ApplicationDefinition = {
  name: 'Purchase Requests',
  identifier: 'requests',
  overview: '<p>Requests by staff, read and written by part identifier.</p>',
  labels: ['Internal'],
  partIdentifierMode: true,
  systemIdentifiers: { id: 'request_id', updatedAt: 'updated_at' },
  parts: [
    { name: 'Subject', type: 'textbox', identifier: 'subject', required: true },
    { name: 'Reason', type: 'textarea', identifier: 'reason' },
    { name: 'Amount', type: 'number', identifier: 'amount' },
    { name: 'Needed By', type: 'date', identifier: 'needed_by' },
    { name: 'Approvers', type: 'users', identifier: 'approvers' },
    {
      name: 'Positions',
      type: 'input_list',
      identifier: 'positions',
      children: [
        { name: 'Article', type: 'textbox', identifier: 'article' },
        { name: 'Pieces', type: 'number', identifier: 'pieces' },
      ],
    },
    { name: 'Quotation', type: 'files', identifier: 'quotation' },
    { name: 'Internal Remark', type: 'textbox' },
  ],
  records: [
    {
      Subject: 'Second monitor',
      Reason: 'For drawings',
      Amount: 240,
      'Needed By': '2026-12-01',
      Approvers: ['1001'],
      Positions: [{ Article: 'Monitor 27"', Pieces: 1 }],
      'Internal Remark': 'Not shown through the interface',
    },
    { Subject: 'Safety shoes', Amount: 89.9, Positions: [{ Article: 'Shoes S3, 43', Pieces: 2 }] },
  ],
};
