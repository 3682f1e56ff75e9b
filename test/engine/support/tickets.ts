import type { INodeParameters } from 'n8n-workflow';

import { partsOf } from '../../support/parts';
import type { ApplicationDefinition, PartDefinition } from '../../support/sandbox';

/** Parts of the types that matter for reading, in name mode. */
const TICKET_PARTS: readonly PartDefinition[] = [
  { name: 'Title', type: 'textbox', identifier: 'title' },
  { name: 'Text', type: 'textarea', identifier: 'text' },
  { name: 'Kind', type: 'select', identifier: 'kind', options: ['Bug', 'Wish', 'Question'] },
  { name: 'Marks', type: 'checkbox', identifier: 'marks', options: ['red', 'green', 'blue'] },
  { name: 'Hours', type: 'number', identifier: 'hours' },
  { name: 'Due', type: 'date', identifier: 'due' },
  { name: 'From', type: 'time', identifier: 'from' },
  { name: 'Meeting', type: 'datetime', identifier: 'meeting' },
  { name: 'Owner', type: 'users', identifier: 'owner' },
  { name: 'Team', type: 'groups', identifier: 'team' },
  { name: 'Files', type: 'files', identifier: 'files' },
  { name: 'Sum', type: 'expression', identifier: 'sum', formula: '{Hours} * 2' },
  {
    name: 'Lines',
    type: 'input_list',
    identifier: 'lines',
    children: partsOf({ Item: 'textbox', Qty: 'number' }),
  },
  {
    name: 'Related',
    type: 'rel_list',
    identifier: 'related',
    relation: { application: 'customers', key: 'Title', match: 'Company' },
    children: [{ name: 'Company', type: 'reference', source: 'Company' }],
  },
];

/** Three tickets, each with something that the others lack. */
export const TICKET_RECORDS = [
  {
    Title: 'Acme Engineering',
    Text: 'One\nTwo, "three"',
    Kind: 'Bug',
    Marks: ['red', 'blue'],
    Hours: '1.5',
    Due: '2026-03-01',
    From: 34_200,
    Meeting: '2026-03-01T09:30',
    Owner: ['1001'],
    Team: ['201', '202'],
    Files: [{ name: 'a.txt', text: 'steel in a file name is found, in its text it is not' }],
    Lines: [{ Item: 'Bolt', Qty: '3' }, { Item: 'Nut' }],
  },
  { Title: 'Beta', Text: 'made of steel', Kind: 'Wish', Hours: '20', Due: '2026-04-01', Owner: ['1002'] },
  { Title: '=1+2', Kind: 'Bug', Hours: '-3', Meeting: '2026-03-02T00:00' },
];

export function tickets(more: Partial<ApplicationDefinition> = {}): ApplicationDefinition {
  return { name: 'Tickets', identifier: 'tickets', parts: TICKET_PARTS, records: TICKET_RECORDS, ...more };
}

/** `count` plain records. */
export function numberedTickets(count: number): Readonly<Record<string, unknown>>[] {
  return Array.from({ length: count }, (_, index) => ({ Title: `T${index}`, Hours: String(index % 10) }));
}

/** Parameters with one condition as the only filter. */
export function condition(saved: INodeParameters): INodeParameters {
  return { filters: { condition: [saved] } };
}
