import type { Inquiry } from './inquiry';
import type { TestRecords } from './testRecords';

/** The test record that questions change. */
export async function firstRecord(inquiry: Inquiry): Promise<{ records: TestRecords; id: string }> {
  const records = await inquiry.testRecords();
  const { id } = await inquiry.once('added', async () => await records.add());
  return { records, id };
}
