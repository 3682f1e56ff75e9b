import { type ClusterPlace, startPlace } from './support/place';
import { filesAcrossProcesses } from './stories/files';
import { killedWorker } from './stories/killed-worker';
import { NotifiedOrders, webhookProcess } from './stories/notified';
import { restartedMain } from './stories/restarted-main';
import { rowsFromTwoWorkers } from './stories/rows';
import { triggerOnMain } from './stories/trigger';

/** One main, one webhook process, two workers, Redis and PostgreSQL. Each story continues from the one before. */
describe('n8n in queue mode', () => {
  let place: ClusterPlace;

  beforeAll(async () => {
    place = await startPlace();
  });

  afterAll(async () => {
    await place?.end();
  });

  const here = () => place;
  const notified = new NotifiedOrders(here);
  filesAcrossProcesses(here);
  rowsFromTwoWorkers(here);
  webhookProcess(here, notified);
  restartedMain(here, notified);
  triggerOnMain(here);
  killedWorker(here);
});
