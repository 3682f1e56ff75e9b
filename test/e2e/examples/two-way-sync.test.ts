import { Holds } from '../../support/holds';
import type { StoredRecord } from '../../support/sandboxTypes';
import { DataTable, type Row } from '../support/data-table';
import { seededId } from '../support/examples';
import { n8n, sandbox } from '../support/here';
import type { Execution } from '../support/n8n';

/** Record ids by company, for the customers of this story. */
const ids: Record<string, string> = {};
/** The customers that existed before. */
let others: ReadonlySet<string>;
let table: DataTable;

beforeAll(async () => {
  others = new Set((await sandbox.records('customers')).map(({ id }) => id));
  const companies = ['Ash', 'Beech', 'Cedar', 'Doum', 'Elm', 'Fir'];
  const added = await sandbox.addRecords(
    'customers',
    companies.map((Company) => ({ Company, Contact: 'Old', 'E-mail': `${Company}@example.com` })),
  );
  companies.forEach((company, index) => (ids[company] = added[index] ?? ''));
});

afterAll(async () => {
  await sandbox.clearFaults();
  const records = await sandbox.records('customers');
  for (const { id } of records.filter((each) => !others.has(each.id))) {
    await sandbox.removeRecord('customers', id);
  }
});

describe('The example that keeps customers and a data table in sync', () => {
  it('creates the table and fills it in its first run', async () => {
    await sync();

    table = await DataTable.find(n8n, 'Customer contacts in step');
    const records = await sandbox.records('customers');
    expect((await table.rows()).map(({ record_id, company }) => [record_id, company])).toEqual(
      records.map(({ id, values }) => [id, values.Company]),
    );
    await expectNothingToDo();
  });

  it('copies changes and additions both ways, and changes of different parts of one customer', async () => {
    await table.change(['company', 'Ash'], { contact: 'New here' });
    await changeRecord('Beech', { Contact: 'New there' });
    await table.change(['company', 'Cedar'], { email: 'new@here.example' });
    await changeRecord('Cedar', { Contact: 'New there' });
    await table.insert({ company: 'Guava', contact: 'Added here' });
    await sandbox.addRecords('customers', [{ Company: 'Hazel', Contact: 'Added there' }]);

    const run = await sync();

    expect(run.items('List Open Problems')).toEqual([]);
    await expectInStep('Ash', 'New here', 'Ash@example.com');
    await expectInStep('Beech', 'New there', 'Beech@example.com');
    await expectInStep('Cedar', 'New there', 'new@here.example');
    await expectInStep('Guava', 'Added here', '');
    await expectInStep('Hazel', 'Added there', '');
    await expectNothingToDo();
  });

  it('links existing rows and records by the company', async () => {
    await table.insert({ company: 'Iris', contact: 'Same' });
    await table.insert({ company: 'Jute', contact: 'Here' });
    await sandbox.addRecords('customers', [
      { Company: 'Iris', Contact: 'Same' },
      { Company: 'Jute', Contact: 'There' },
    ]);

    await sync();

    await expectInStep('Iris', 'Same', '');
    expect((await row('Jute')).problem).toMatch(/^Record \d+ has this company, but another contact\./);
    expect(await contactThere('Jute')).toBe('There');
    await table.change(['company', 'Jute'], { keep: 'table' });
    await sync();
    await expectInStep('Jute', 'Here', '');
    await expectNothingToDo();
  });

  it('overwrites nothing if both sides changed the same part, and notifies a person once', async () => {
    await table.change(['company', 'Doum'], { contact: 'Mine' });
    await changeRecord('Doum', { Contact: 'Theirs' });
    await table.change(['company', 'Elm'], { contact: 'Mine' });
    await changeRecord('Elm', { Contact: 'Theirs' });

    const first = await sync();
    const told = first.items('Tell a Person').map(({ text }) => text);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(
      /^Doum: The record \d+ was changed in the meantime: .* Different since then: "Contact"/,
    );
    expect(await contactsOf('Doum')).toEqual(['Mine', 'Theirs']);

    const second = await sync();
    expect(second.items('Tell a Person')).toEqual([]);
    expect(second.items('List Open Problems').map(({ company }) => company)).toEqual(['Doum', 'Elm']);
    expect(await contactsOf('Elm')).toEqual(['Mine', 'Theirs']);

    await table.change(['company', 'Doum'], { keep: 'table' });
    await table.change(['company', 'Elm'], { keep: 'application' });
    const decided = await sync();
    expect(decided.items('List Open Problems')).toEqual([]);
    await expectInStep('Doum', 'Mine', 'Doum@example.com');
    await expectInStep('Elm', 'Theirs', 'Elm@example.com');
    await expectNothingToDo();
  });

  it('keeps what is typed into the table while it runs', async () => {
    await table.change(['company', 'Fir'], { contact: 'First' });
    const holds = new Holds();
    const typeMeanwhile = async () => await table.change(['company', 'Fir'], { contact: 'Second' });
    await sandbox.setFaults([await holds.during({ action: 'update_data', times: 1 }, typeMeanwhile)]);
    await sync();
    await sandbox.clearFaults();
    await holds.end();

    expect(await contactsOf('Fir')).toEqual(['Second', 'First']);

    await sync();
    expect(await row('Fir')).toMatchObject({
      contact: 'Second',
      problem: expect.stringContaining('Different since then: "Contact"') as string,
    });
  });

  it('deletes nothing: a missing record is reported', async () => {
    await table.insert({ record_id: '999999', revision: 1, company: 'Kapok', synced: '{}' });

    const run = await sync();

    expect(run.items('Tell a Person')).toEqual([
      { text: expect.stringMatching(/^Kapok: Record 999999 is gone\./) as string },
    ]);
  });
});

async function sync(): Promise<Execution> {
  const run = await n8n.run(seededId('two-way-sync.json'), 'Sync Now');
  expect(run.error).toBeUndefined();
  return run;
}

/** Expects that another run writes nothing on either side. */
async function expectNothingToDo(): Promise<void> {
  const [rows, records] = [await table.rows(), await sandbox.records('customers')];
  const since = await sandbox.lastCall();

  await sync();

  expect(await table.rows()).toEqual(rows);
  expect(await sandbox.records('customers')).toEqual(records);
  const calls = await sandbox.log(since);
  expect(calls.map(({ action }) => action)).toContain('list_data');
  expect(calls.filter(({ action }) => /^(insert|update|delete)_data$/.test(action))).toEqual([]);
}

async function row(company: string): Promise<Row> {
  return only((await table.rows()).filter((each) => each.company === company));
}

async function expectInStep(company: string, contact: string, email: string): Promise<void> {
  const { revision, values } = await record(company);
  expect(values.Contact).toBe(contact);
  expect(values['E-mail'] ?? '').toBe(email);
  const here = await row(company);
  expect(here).toMatchObject({ contact, revision, problem: '', keep: '' });
  expect(here.email ?? '').toBe(email);
}

async function record(company: string): Promise<StoredRecord> {
  return only((await sandbox.records('customers')).filter(({ values }) => values.Company === company));
}

function only<T>([first, ...others]: readonly T[]): T {
  if (first === undefined || others.length > 0) throw new Error('Expected exactly one.');
  return first;
}

async function contactThere(company: string): Promise<unknown> {
  return (await record(company)).values.Contact;
}

/** The contact in the table and in the application. */
async function contactsOf(company: string): Promise<unknown[]> {
  return [(await row(company)).contact, await contactThere(company)];
}

async function changeRecord(company: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  await sandbox.changeRecord('customers', ids[company] ?? '', values);
}
