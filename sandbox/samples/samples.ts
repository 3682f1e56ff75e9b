import { linkParts } from '../definitions/link.ts';
import { storeApplication } from '../definitions/store.ts';
import type { Workbench } from '../records/workbench.ts';
import { customers } from './customers.ts';
import { inventory } from './inventory.ts';
import { orders } from './orders.ts';
import { sampleUsers } from './people.ts';
import { prices } from './prices.ts';
import { requests } from './requests.ts';

/**
 * Replaces everything with the samples: users and five applications as an office might have them.
 * @param accessKey key of the first user
 */
export async function storeSamples(workbench: Workbench, accessKey: string): Promise<void> {
  const { storage } = workbench;
  storage.transaction(() => {
    storage.clear();
    for (const [index, user] of sampleUsers.entries()) {
      storage.people.saveUser(index === 0 ? { ...user, accessKey } : user);
    }
  });
  for (const definition of [customers, orders, inventory, requests, prices]) {
    await storeApplication(definition, workbench);
  }
  relink(workbench);
}

/**
 * Links the first application again, now that the second exists: customers list their orders, and orders name their
 * customers.
 */
function relink({ storage }: Workbench): void {
  const application = storage.applications.find('@customers');
  if (!application) return;
  linkParts(customers.parts, application, storage);
  storage.applications.save(application);
}
