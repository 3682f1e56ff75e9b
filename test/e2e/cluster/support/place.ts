import { Sandbox } from '../../../support/sandbox';
import { Cluster } from '../../support/cluster';
import type { CredentialName } from '../../support/workflow';

/** Milliseconds after which n8n gives up an execution whose worker is gone. n8n's defaults are 60, 10 and 30 s. */
const SHORT_LOCKS = {
  QUEUE_WORKER_LOCK_DURATION: 10_000,
  QUEUE_WORKER_LOCK_RENEW_TIME: 2_000,
  QUEUE_WORKER_STALLED_INTERVAL: 5_000,
};

/** Allows one execution at a time on each worker, so two at once run on two workers. */
const ONE_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: 1 };

/** The token in the service's notifications. */
export const WEBHOOK_TOKEN = 'a-long-text-of-the-cluster';

/** A cluster, and a service that its workflows write to. */
export interface ClusterPlace {
  readonly cluster: Cluster;
  readonly sandbox: Sandbox;
  /** The credential for the service. */
  readonly credential: CredentialName;
  /** Saves a workflow in n8n. */
  save(workflow: object): Promise<string>;
  end(): Promise<void>;
}

/** Starts both. */
export async function startPlace(): Promise<ClusterPlace> {
  const sandbox = await Sandbox.start();
  try {
    const cluster = await Cluster.start({ ...SHORT_LOCKS, ...ONE_AT_A_TIME });
    const { baseUrl, accessKey } = sandbox;
    const credential = await cluster.rest.post<CredentialName>('credentials', {
      name: 'The service of the stories',
      type: 'applicationDataServiceApi',
      data: { baseUrl, accessKey, webhookToken: WEBHOOK_TOKEN },
    });
    return {
      cluster,
      sandbox,
      credential,
      save: async (workflow) => (await cluster.rest.post<{ id: string }>('workflows', workflow)).id,
      end: async () => {
        await Promise.allSettled([cluster.end(), sandbox.stop()]).then(throwFirst);
      },
    };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
