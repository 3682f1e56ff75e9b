import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from './fakePollClock';
import type { ApplicationDefinition, Sandbox } from './sandbox';
import { TriggerEngine, type TriggerOptions } from './triggerEngine';

/** A small application to watch: two records, one of them open. */
export const TICKETS: ApplicationDefinition = {
  name: 'Tickets',
  identifier: 'tickets',
  parts: [
    { name: 'Title', type: 'textbox', identifier: 'title' },
    { name: 'State', type: 'select', identifier: 'state', options: ['open', 'closed'] },
    { name: 'Price', type: 'number', identifier: 'price' },
    { name: 'Files', type: 'files', identifier: 'files' },
  ],
  records: [
    { Title: 'One', State: 'open' },
    { Title: 'Two', State: 'closed' },
  ],
};

/** A trigger on the tickets, all events; its waits take no time. */
export function watchTickets(
  sandbox: Sandbox,
  parameters: INodeParameters = {},
  options: TriggerOptions = { clock: new FakePollClock() },
): TriggerEngine {
  return new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    {
      application: { __rl: true, mode: 'identifier', value: 'tickets' },
      events: ['created', 'updated', 'deleted'],
      ...parameters,
    },
    options,
  );
}

/** Short texts of the events, such as `updated 1 (1 to 2)`. */
export function inWords(items: readonly object[]): string[] {
  return items.map((item) => {
    const { event, id, revision, previousRevision } = item as Record<string, unknown>;
    if (event === 'created') return `created ${String(id)} (${String(revision)})`;
    if (event === 'deleted') return `deleted ${String(id)} (${String(previousRevision)})`;
    return `${String(event)} ${String(id)} (${String(previousRevision)} to ${String(revision)})`;
  });
}

/** As many records to add, with numbered titles. */
export function numbered(count: number, prefix = 'Ticket'): { Title: string; State: string }[] {
  return Array.from({ length: count }, (_, index) => ({ Title: `${prefix} ${index}`, State: 'open' }));
}

/** IDs, the first one and the last one among them. */
export function upTo(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

/** What is told of records with these IDs that were added. */
export function created(first: number, last = first): string[] {
  return upTo(first, last).map((id) => `created ${id} (1)`);
}
