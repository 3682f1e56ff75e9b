import { jsonOf, type WebhookEngine } from '../support/webhookEngine';
import { WEBHOOK_TOKEN, byId, byIdentifier, useWebhookPlace } from './support/webhookPlace';

const place = useWebhookPlace();

describe('without a run', () => {
  it.each([
    ['another application', { application: byId('999') }, {}],
    ['another application by identifier', { application: byIdentifier('customers') }, {}],
    ['an unwanted event', { events: ['created'] }, {}],
    ['an unknown type', {}, { type: 'archived' }],
  ])('%s is answered 200', async (_, parameters, more) => {
    expect(await place.engine(parameters).receive(place.body(more))).toMatchObject({
      status: 200,
      items: null,
    });
  });

  it.each([
    ['no token', { access_token: undefined }],
    ['an empty token', { access_token: '' }],
    ['another token', { access_token: `${WEBHOOK_TOKEN}x` }],
    ['a part of the token', { access_token: WEBHOOK_TOKEN.slice(0, -1) }],
    ['the token twice', { access_token: WEBHOOK_TOKEN + WEBHOOK_TOKEN }],
    ['a token that is a list', { access_token: [WEBHOOK_TOKEN] }],
  ])('%s is answered 403', async (_, more) => {
    const result = await place.engine().receive(place.body(more));
    expect(result).toMatchObject({ status: 403, items: null });
    expect(await place.sandbox.log()).toEqual([]);
  });

  it('an empty token in the credential matches nothing', async () => {
    for (const webhookToken of ['', '  ', undefined]) {
      for (const access_token of ['', '  ', undefined, 'undefined', 'null']) {
        const result = await place.engine({}, { webhookToken }).receive(place.body({ access_token }));
        expect(result).toMatchObject({ status: 403, items: null });
      }
    }
  });

  it.each([
    ['a list', []],
    ['a text', 'app_id=1'],
    ['nothing', undefined],
  ])('%s as a body is answered 403, because it has no token', async (_, content) => {
    expect(await place.engine().receive(content)).toMatchObject({ status: 403, items: null });
  });

  it.each([
    ['no app_id', { app_id: undefined }],
    ['no data_id', { data_id: '' }],
    ['a list of ids', { data_id: '1,2' }],
    ['an object for an id', { data_id: { id: 1 } }],
    ['no type', { type: null }],
  ])('%s is answered 400', async (_, more) => {
    expect(await place.engine().receive(place.body(more))).toMatchObject({ status: 400, items: null });
    expect(await place.sandbox.log()).toEqual([]);
  });

  it('a form is answered 400', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await place.engine().receive(place.body(), { headers })).toMatchObject({
      status: 400,
      items: null,
    });
  });
});

describe('readError', () => {
  const failing = async (node: WebhookEngine, more = {}) => {
    const result = await node.receive(place.body(more));
    expect(result.status).toBe(200);
    return jsonOf(result);
  };
  const head = { event: 'updated', url: 'http://inner.example/record' };

  it.each([
    ['a deleted record', {}, { data_id: '99' }, /data_id/],
    ['a deleted application', {}, { app_id: '999' }, /application/i],
    ['an identifier that does not exist', { application: byIdentifier('nowhere') }, {}, /application/i],
    ['a part that does not exist', { options: { partsToReturn: ['Nowhere'] } }, {}, /Nowhere/],
    ['an option that cannot be read', { options: { loadReferenceLists: 'cooked' } }, {}, /cooked/],
  ])('for %s', async (_, parameters, more, reason) => {
    const items = await failing(place.engine(parameters), more);
    expect(items).toEqual([
      {
        ...head,
        id: '1',
        applicationId: place.app,
        ...idsOf(more),
        readError: expect.stringMatching(reason) as unknown,
      },
    ]);
  });

  it('for a refused key, and for a credential without one', async () => {
    expect(await failing(place.engine({}, { accessKey: 'wrong' }))).toMatchObject([
      { readError: expect.stringMatching(/key/i) as unknown },
    ]);
    expect(await failing(place.engine({}, { accessKey: '' }))).toMatchObject([
      { readError: 'The access key is empty' },
    ]);
    expect(await failing(place.engine({}, { baseUrl: 'nonsense' }))).toMatchObject([
      { readError: expect.any(String) as unknown },
    ]);
  });

  it('is beside the parts if only the files could not be downloaded', async () => {
    await place.sandbox.changeRecord(place.app, '1', { Files: [{ name: 'a.txt', text: 'Hello' }] });
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -5, message: 'No', action: 'download_data_file' }]);
    const node = place.engine({ options: { downloadAttachments: true } });
    expect(await failing(node)).toMatchObject([
      { Title: 'One', revision: 2, readError: expect.any(String) as unknown },
    ]);
    expect(node.logged).toHaveLength(1);
  });
});

function idsOf(more: { data_id?: string; app_id?: string }): object {
  return {
    ...(more.data_id !== undefined && { id: more.data_id }),
    ...(more.app_id !== undefined && { applicationId: more.app_id }),
  };
}

describe('publishing and listening', () => {
  it.each(['activate', 'update', 'manual'] as const)('without a token are refused (%s)', async (mode) => {
    await expect(place.engine({}, { webhookToken: ' ' }).register(mode)).rejects.toMatchObject({
      message: 'The credential has no Webhook Token: enter a long random text there',
      description: expect.stringContaining('Webhook Token') as unknown,
    });
    expect(await place.engine().register(mode)).toBe(true);
  });

  it('without an event are refused', async () => {
    await expect(place.engine({ events: [] }).register('activate')).rejects.toMatchObject({
      message: 'No event is selected',
      description: 'Select at least one under Trigger On.',
    });
  });

  it.each(['init', 'leadershipChange'] as const)('at %s, it is only logged', async (mode) => {
    const node = place.engine({}, { webhookToken: '' });
    expect(await node.register(mode)).toBe(true);
    expect(node.logged).toEqual([expect.stringContaining('The credential has no Webhook Token')]);
  });
});
