import type { ApplicationDefinition } from '../definitions/definition.ts';

/** Price list: kept in sync with a file. Only people write the remarks. */
export const prices: ApplicationDefinition = {
  name: 'Price List',
  identifier: 'prices',
  overview: '<p>What we sell, and for how much.</p>',
  labels: [],
  parts: [
    { name: 'Item No', type: 'textbox', identifier: 'item_no', required: true },
    { name: 'Item', type: 'textbox', identifier: 'item' },
    { name: 'Price', type: 'number', identifier: 'price' },
    { name: 'Unit', type: 'select', identifier: 'unit', options: ['piece', 'box', 'kg'] },
    { name: 'Remark', type: 'textarea', identifier: 'remark' },
  ],
  records: [
    { 'Item No': 'B-0008', Item: 'Hex bolt M8', Price: 0.35, Unit: 'piece' },
    {
      'Item No': 'D-0100',
      Item: 'Drill press',
      Price: 1290,
      Unit: 'piece',
      Remark: 'Delivery takes two weeks.',
    },
    { 'Item No': 'S-0020', Item: 'Solvent, 5 l', Price: 18.5, Unit: 'box' },
    { 'Item No': 'K-0003', Item: 'Cutter blades', Price: 2.6, Unit: 'box' },
    { 'Item No': 'W-0008', Item: 'Washer, M8', Price: 0.04, Unit: 'piece' },
    { 'Item No': 'L-0900', Item: 'Lamp oil, 1 l', Price: 6.9, Unit: 'piece' },
  ],
};
