import { Sandbox } from '../support/sandbox';
import { TriggerEngine } from '../support/triggerEngine';

const APPLICATION = { __rl: true, mode: 'identifier', value: 'tickets' };

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.start();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
  await sandbox.reset();
  await sandbox.createApplication({
    name: 'Tickets',
    identifier: 'tickets',
    parts: [
      { name: 'Title', type: 'textbox' },
      { name: 'Open', type: 'checkbox', options: ['yes'] },
      { name: 'Files', type: 'files' },
    ],
    records: [{ Title: 'One' }, { Title: 'Two' }],
  });
});

function trigger(parameters: object = {}): TriggerEngine {
  return new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { application: APPLICATION, events: ['created', 'updated', 'deleted'], ...parameters },
  );
}

it('emits what is created, updated and deleted, once', async () => {
  const engine = trigger();
  expect(await engine.activate()).toEqual([]);
  expect(await engine.poll()).toEqual([]);
  await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  await sandbox.removeRecord('tickets', '2');
  const [updated, created, deleted, ...others] = await engine.poll();
  expect(updated).toMatchObject({
    event: 'updated',
    id: '1',
    revision: 2,
    previousRevision: 1,
    Title: 'Uno',
  });
  expect(created).toMatchObject({
    event: 'created',
    id: '3',
    revision: 1,
    previousRevision: null,
    Title: 'Three',
  });
  expect(deleted).toEqual({ event: 'deleted', id: '2', previousRevision: 1 });
  expect(others).toEqual([]);
  expect(await engine.poll()).toEqual([]);
});
