import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { seededId } from '../support/examples';
import { demo, n8n, sandbox } from '../support/here';

const workflow = seededId('nightly-export.json');

beforeEach(() => {
  for (const file of exports()) rmSync(join(demo.filesFolder, file), { recursive: true });
});

afterEach(async () => {
  await sandbox.clearFaults();
});

describe('The example that exports every night', () => {
  it('writes all orders completely into a file of the day', async () => {
    const orders = await sandbox.records('orders');

    const execution = await n8n.run(workflow, 'Every Night at 2');

    expect(execution.status).toBe('success');
    expect(exports()).toEqual([`orders-${today()}.csv`]);
    const text = readFileSync(join(demo.filesFolder, exports()[0] ?? ''), 'utf8');
    const [head = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ''));
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column('id')).toEqual(orders.map(({ id }) => id));
    expect(column('Order No')).toEqual(orders.map(({ values }) => values['Order No'] ?? ''));
    expect(column('Lines')[column('Order No').indexOf('O-2026-001')]).toContain('"Item":"Bracket, special"');
    expect(execution.items('Say What Was Saved')).toEqual([
      { text: `${orders.length} orders are in .n8n-files/orders-${today()}.csv` },
    ]);
  });

  it('leaves no file if the service fails: it reports the error and the execution fails', async () => {
    await sandbox.setFaults([
      { kind: 'ng', action: 'list_data', errorno: -16, message: 'W:Closed for maintenance [W16]' },
    ]);

    const execution = await n8n.run(workflow, 'Try It Now');

    expect(execution.status).toBe('error');
    expect(execution.items('Say What Failed')).toEqual([
      {
        subject: `No export of the orders on ${today()}`,
        text: expect.stringContaining('Closed for maintenance') as string,
      },
    ]);
    expect(execution.error?.message).toContain('Closed for maintenance');
    expect(exports()).toEqual([]);
  });

  it('does the same if the file cannot be written', async () => {
    mkdirSync(join(demo.filesFolder, `orders-${today()}.csv`));

    const execution = await n8n.run(workflow, 'Try It Now');

    expect(execution.status).toBe('error');
    expect(execution.items('Export Orders')).toHaveLength(1);
    expect(execution.error?.message).toMatch(/^No export of the orders on .*: .*(EISDIR|directory)/);
  });
});

/** The exported files. */
function exports(): string[] {
  return readdirSync(demo.filesFolder).filter((file) => file.startsWith('orders-'));
}

/** Today's date on this machine, whose time zone the demo's n8n uses. */
function today(): string {
  return new Date().toLocaleDateString('sv');
}

/** The rows and cells of a CSV text. Quoted cells may contain commas, quotes and line breaks. */
function readCsv(text: string): string[][] {
  const cells = text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/g);
  const rows: string[][] = [[]];
  for (const [whole, cell = '', end] of cells) {
    if (whole === '') break;
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
