// node --import ./scripts/typescript.mjs --import ./scripts/built-nodes.mjs replaced.ts, with BUILT_NODES naming the dist
// of an unpacked package: begins an update, a poll and a run of the webhook trigger, deletes that folder while each waits
// for its first answer, and prints what they gave as one line of JSON. n8n replaces a package in the same way.
import { rmSync } from 'node:fs';

import { Engine } from '../../support/engine';
import { Sandbox } from '../../support/sandbox';
import { TICKETS } from '../../support/triggerTickets';
import { TriggerEngine } from '../../support/triggerEngine';
import { WebhookEngine } from '../../support/webhookEngine';

const TOKEN = 'A-long-text-of-ones-own-0815';
const RUNS = 3;

async function runsWithoutPackage(dist: string, sandbox: Sandbox): Promise<object> {
  const { baseUrl, accessKey } = sandbox;
  const { id: app, parts } = await sandbox.createApplication(TICKETS);
  const application = { __rl: true, mode: 'id', value: app };
  const credential = { baseUrl, accessKey, webhookToken: TOKEN };
  let goOn = (): void => undefined;
  const removed = new Promise<void>((resolve) => (goOn = resolve));
  const hold = await sandbox.holdDuring({ times: RUNS }, async (count) => {
    if (count === RUNS) {
      rmSync(dist, { recursive: true });
      goOn();
    }
    await removed;
  });
  await sandbox.setFaults([hold]);
  const update = new Engine(credential).run({
    resource: 'record',
    operation: 'update',
    application,
    recordId: '1',
    parts: { mappingMode: 'defineBelow', value: { [parts.Title!]: 'Replaced' } },
    conflictPolicy: 'overwrite',
    options: { returnRecord: true, skipUnchanged: true },
  });
  const poll = new TriggerEngine(credential, { application, options: { startFrom: 'existing' } }).activate();
  const notification = { app_id: app, data_id: '2', type: 'updated', access_token: TOKEN, url: '', data: {} };
  const webhook = new WebhookEngine(credential, { application }).receive(notification);
  const [updated, polled, notified] = await Promise.all([update, poll, webhook]);
  return {
    error: updated.error?.message,
    updated: updated.json.map(({ id, outcome, Title }) => ({ id, outcome, Title })),
    polled: polled
      .map(({ id, event }) => ({ id, event }))
      .sort((one, other) => Number(one.id) - Number(other.id)),
    notified: notified.items?.map(({ json }) => ({
      id: json.id,
      event: json.event,
      readError: json.readError,
    })),
  };
}

async function main(): Promise<void> {
  const sandbox = await Sandbox.start();
  try {
    console.log(JSON.stringify(await runsWithoutPackage(process.env.BUILT_NODES!, sandbox)));
  } finally {
    await sandbox.stop();
  }
}

main().then(
  // n8n-core leaves timers and handlers open.
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
