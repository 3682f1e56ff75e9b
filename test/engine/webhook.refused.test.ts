import type { INodeParameters } from 'n8n-workflow';

import { anyText, like } from './support/like';
import { byId, byIdentifier } from './support/saved';
import { useWebhookPlace } from './support/webhookPlace';
import { jsonOf, type WebhookEngine } from '../support/webhookEngine';

const place = useWebhookPlace();

describe('without a run', () => {
  // Which tokens are the token: test/unit/webhook/token.test.ts.
  test.each<[string, number, object, INodeParameters?]>([
    ['another application', 200, {}, { application: byId('999') }],
    ['another application by identifier', 200, {}, { application: byIdentifier('customers') }],
    ['an unwanted event', 200, {}, { events: ['created'] }],
    ['an unknown type', 200, { type: 'archived' }],
    ['no token', 403, { access_token: undefined }],
    ['no app_id', 400, { app_id: undefined }],
    ['no data_id', 400, { data_id: '' }],
    ['a list of ids', 400, { data_id: '1,2' }],
    ['an object for an id', 400, { data_id: { id: 1 } }],
    ['no type', 400, { type: null }],
  ])('%s is answered %i', async (_, status, more, parameters = {}) => {
    const result = await place.engine(parameters).receive(place.body(more));
    expect(result).toMatchObject({ status, items: null });
    if (status !== 200) expect(await place.sandbox.log()).toEqual([]);
  });

  test.each([[[]], ['app_id=1'], [undefined]])('the body %j has no token', async (content) => {
    expect(await place.engine().receive(content)).toMatchObject({ status: 403, items: null });
  });

  test('a form is answered 400', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const result = await place.engine().receive(place.body(), { headers });
    expect(result).toMatchObject({ status: 400, items: null });
  });
});

const NO_APPLICATION = byId('={{ undefined }}');

describe('readError', () => {
  const failing = async (node: WebhookEngine, more = {}) => {
    const result = await node.receive(place.body(more));
    expect(result.status).toBe(200);
    return jsonOf(result);
  };

  const url = 'http://inner.example/record';
  test.each<[string, INodeParameters, { id?: string; applicationId?: string }, RegExp, object?]>([
    ['a deleted record', {}, { id: '99' }, /data_id/],
    ['a deleted application', {}, { applicationId: '999' }, /application/i],
    ['an identifier that does not exist', { application: byIdentifier('nowhere') }, {}, /application/i],
    ['a part that does not exist', { options: { partsToReturn: ['Nowhere'] } }, {}, /Nowhere/],
    ['an option that cannot be read', { options: { loadReferenceLists: 'cooked' } }, {}, /cooked/],
    [
      'an application whose expression gives none',
      { application: NO_APPLICATION },
      {},
      /^The application is empty$/,
    ],
    ['a refused key', {}, {}, /key/i, { accessKey: 'wrong' }],
    ['a credential without a key', {}, {}, /^The access key is empty$/, { accessKey: '' }],
    ['a credential without an address', {}, {}, /./, { baseUrl: 'nonsense' }],
  ])('for %s', async (_, parameters, { id, applicationId }, reason, credential = {}) => {
    const more = { ...(id && { data_id: id }), ...(applicationId && { app_id: applicationId }) };
    expect(await failing(place.engine(parameters, credential), more)).toEqual([
      {
        ...{ event: 'updated', url, id: id ?? '1', applicationId: applicationId ?? place.app },
        readError: like(reason),
      },
    ]);
  });

  test('is beside the parts if only the files could not be downloaded', async () => {
    await place.sandbox.changeRecord(place.app, '1', { Files: [{ name: 'a.txt', text: 'Hello' }] });
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -5, message: 'No', action: 'download_data_file' }]);
    const node = place.engine({ options: { downloadAttachments: true } });
    expect(await failing(node)).toMatchObject([{ Title: 'One', revision: 2, readError: anyText }]);
    expect(node.logged).toHaveLength(1);
  });
});

describe('publishing and listening', () => {
  test('for an application whose expression gives none are refused: any would start the workflow', async () => {
    await expect(place.engine({ application: NO_APPLICATION }).register('activate')).rejects.toThrow(
      'The application is empty',
    );
  });

  test.each(['activate', 'update', 'manual'] as const)('without a token are refused (%s)', async (mode) => {
    await expect(place.engine({}, { webhookToken: ' ' }).register(mode)).rejects.toMatchObject({
      message: 'The credential has no Webhook Token: enter a long random text there',
      description: like('Webhook Token'),
    });
    expect(await place.engine().register(mode)).toBe(true);
  });

  test('without an event are refused', async () => {
    await expect(place.engine({ events: [] }).register('activate')).rejects.toMatchObject({
      message: 'No event is selected',
      description: 'Select at least one under Trigger On.',
    });
  });

  test.each(['init', 'leadershipChange'] as const)('at %s, it is only logged', async (mode) => {
    const node = place.engine({}, { webhookToken: '' });
    expect(await node.register(mode)).toBe(true);
    expect(node.logged).toEqual([like('The credential has no Webhook Token')]);
  });
});
