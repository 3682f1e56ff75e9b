import type { ApplicationDefinition } from '../definitions/definition.ts';

/** Orders: a table part of order lines, files on the order and on its lines, references, lookups. */
export const orders: ApplicationDefinition = {
  name: 'Orders',
  identifier: 'orders',
  overview: '<p>Orders from receipt to delivery. Each line may carry a <i>drawing</i>.</p>',
  labels: ['Sales', 'Logistics'],
  parts: [
    { name: 'Order No', type: 'textbox', identifier: 'order_no', required: true },
    {
      name: 'Customer ID',
      type: 'number',
      identifier: 'customer_id',
      lookup: {
        application: 'customers',
        match: 'ID',
        copies: { Company: 'Delivery Name', Address: 'Delivery Address' },
      },
    },
    {
      name: 'Customer',
      type: 'reference',
      identifier: 'customer',
      reference: { application: 'customers', key: 'Customer ID', match: 'ID', part: 'Company' },
    },
    {
      name: 'Customer Rank',
      type: 'reference',
      identifier: 'customer_rank',
      reference: { application: 'customers', key: 'Customer ID', match: 'ID', part: 'Rank' },
    },
    { name: 'Delivery Name', type: 'textbox', identifier: 'delivery_name' },
    { name: 'Delivery Address', type: 'textarea', identifier: 'delivery_address' },
    { name: 'Ordered On', type: 'date', identifier: 'ordered_on' },
    {
      name: 'Status',
      type: 'select',
      identifier: 'status',
      options: ['New', 'Confirmed', 'Shipped', 'Paid'],
    },
    {
      name: 'Lines',
      type: 'input_list',
      identifier: 'lines',
      children: [
        { name: 'Item', type: 'textbox', identifier: 'item' },
        { name: 'Quantity', type: 'number', identifier: 'quantity' },
        { name: 'Price', type: 'number', identifier: 'price' },
        { name: 'Amount', type: 'expression', identifier: 'amount', formula: '{Quantity} * {Price}' },
        { name: 'Due', type: 'date', identifier: 'due' },
        { name: 'Packed', type: 'checkbox', identifier: 'packed', options: ['Yes'] },
        { name: 'Drawing', type: 'files', identifier: 'drawing' },
      ],
    },
    { name: 'Total', type: 'expression', identifier: 'total', formula: 'SUM({Lines.Amount})' },
    {
      name: 'Average Price',
      type: 'expression',
      identifier: 'average_price',
      formula: 'ROUND({Total} / SUM({Lines.Quantity}), 2)',
    },
    { name: 'Attachments', type: 'files', identifier: 'attachments' },
    { name: 'Note', type: 'textarea', identifier: 'note' },
    { name: 'Processed', type: 'textbox', identifier: 'processed', readonly: true },
  ],
  automatic: [
    { on: 'insert', part: 'Processed', value: 'Received from {user}' },
    { on: 'update', part: 'Processed', value: 'Changed by {user}, revision {revision}' },
  ],
  records: [
    {
      'Order No': 'O-2026-001',
      'Customer ID': 1,
      'Delivery Name': 'Acme Engineering',
      'Ordered On': '2026-10-02',
      Status: 'Confirmed',
      Lines: [
        { Item: 'Hex bolt M8', Quantity: 200, Price: '0.35', Due: '2026-10-20', Packed: ['Yes'] },
        {
          Item: 'Bracket, special',
          Quantity: 12,
          Price: '18.50',
          Due: '2026-11-05',
          Drawing: [
            {
              name: 'bracket.svg',
              mimeType: 'image/svg+xml',
              text: '<svg xmlns="http://www.w3.org/2000/svg"/>',
            },
          ],
        },
      ],
      Attachments: [{ name: 'order.txt', text: 'Order O-2026-001\n' }],
    },
    {
      'Order No': 'O-2026-002',
      'Customer ID': 2,
      'Delivery Name': 'Birch & Sons',
      'Ordered On': '2026-10-11',
      Status: 'New',
      Lines: [{ Item: 'Drill press', Quantity: 1, Price: '1290', Due: '2026-12-01' }],
      Note: 'Call before delivery.',
    },
    { 'Order No': 'O-2026-003', 'Customer ID': 1, 'Ordered On': '2026-11-02', Status: 'Paid' },
  ],
};
