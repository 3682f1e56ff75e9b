import type { Sandbox } from '../../../support/sandbox';
import { eventually } from '../../support/patience';
import { actionNode, chain, type CredentialName, makeItems, mapped } from '../../support/workflow';

/** How long a request of the writers below takes, so that a story can act in the middle of them. */
const LATENCY_MS = 100;

/** A workflow that creates `records` customers: `<name> 0`, `<name> 1` and so on. */
export function writerOf(
  name: string,
  records: number,
  operation: 'create' | 'upsert',
  credential: CredentialName,
): object {
  const parts = mapped({ Company: '={{ $json.Company }}' }, operation === 'upsert' ? ['Company'] : []);
  return chain(`Write ${name}`, [
    ...makeItems(eachOnce(name, records).map((Company) => ({ Company }))),
    actionNode('Write', credential, ['record', operation, 'customers'], { parts }),
  ]);
}

/** The companies of a writer's customers, sorted. */
export async function written(sandbox: Sandbox, name: string): Promise<string[]> {
  const companies = (await sandbox.records('customers')).map(({ values }) => String(values.Company));
  return companies.filter((company) => company.startsWith(`${name} `)).sort();
}

/** The companies of a writer's customers if each was written once. */
export function eachOnce(name: string, records: number): string[] {
  return Array.from({ length: records }, (_, n) => `${name} ${n}`).sort();
}

/** Resolves when the service has some of a writer's records, but by far not all. */
export async function untilInTheMiddle(sandbox: Sandbox, name: string, records: number): Promise<void> {
  const { length } = await eventually(
    async () => await written(sandbox, name),
    (companies) => expect(companies.length).toBeGreaterThanOrEqual(records / 5),
  );
  expect(length).toBeLessThan((records * 4) / 5);
}

/** Makes the service as slow as a distant one. */
export async function slowDown(sandbox: Sandbox): Promise<void> {
  await sandbox.setFaults([
    { kind: 'latency', where: 'network', ms: LATENCY_MS, action: 'insert_data' },
    { kind: 'latency', where: 'network', ms: LATENCY_MS, action: 'update_data' },
  ]);
}
