import fc from 'fast-check';
import { matching, anyNumber, anyText } from './support/matchers';
import { bodyOf, file, useClient, type Parameters } from './support/serviceCall';

/** Every malformed call is answered, nothing is written in part, and the process never ends. */
describe('Any call', () => {
  const client = useClient('kept');

  const actions = [
    'list_data',
    'count_data',
    'get_data',
    'insert_data',
    'update_data',
    'delete_data',
    'list_applabels',
    'list_apps',
    'get_app',
    'download_data_file',
    'constructor',
  ];
  const names = [
    'app_id',
    'data_id',
    'fields',
    'filter',
    'keyword',
    'sort_field_id',
    'sort_order',
    'offset',
    'limit',
    'load_rel_list',
    'label_id',
    'relookup_key_field',
    'auto_action',
    '{{revision}}',
    '{{Order No}}',
    '{{Customer ID}}',
    '{{Lines}}',
    '{{Lines}}0.{{Drawing}}',
    '{{Lines}}0.{{Drawing}}.del_attachment_id',
    '{{Attachments}}',
    '{{Attachments}}.del_attachment_id',
    '{{Total}}',
    '{{__proto__}}',
    '{{}}',
    '__proto__',
  ];
  const likely = fc.constantFrom(
    '301',
    '302',
    '@orders',
    '1',
    '2',
    '0',
    '-1',
    '1,2',
    'on',
    'off',
    'desc',
    '5000',
    '102',
    '2026-01-01',
    '[{"Item":"a","Quantity":"1"}]',
    '[{"data_id":"1"}]',
    '[{"field_name":"Order No"}]',
    '{"item":[{"field_id":"102","operator":">=","value":"1"}]}',
    '{"item":[{"field_id":"109","operator":"is_null"}]}',
    '{"__proto__":{"item":[]}}',
    '',
  );
  const text = fc.oneof(
    { weight: 4, arbitrary: likely },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  );
  const upload = fc.string({ maxLength: 20 }).map((content) => file('f.bin', content));
  const parameters = fc.dictionary(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
    fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: upload }),
    { maxKeys: 8 },
  );
  const revisions = async () =>
    (await client.sandbox.records('302')).map((record) =>
      JSON.stringify([record.id, record.revision, record.values]),
    );

  it('is answered with ok, or with ng, a number and a sentence; a refused one changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...actions), parameters, async (action, sent) => {
        const before = await revisions();
        const response = await client.fetch({ body: bodyOf({ ...(sent as Parameters), action }) });
        const answer = (await response.json()) as Record<string, unknown>;
        expect(response.status).toBe(200);
        if (answer.status !== 'ok') {
          expect(answer).toEqual({
            status: 'ng',
            errorno: anyNumber(),
            errormessage: matching(/^W:[^]{10,} \[W\d+\]$/),
            errmsgadd: anyText(),
          });
          expect(answer.errorno).not.toBe(-1);
        }
        if (answer.status !== 'ok' || !/^(insert|update|delete)/.test(action)) {
          expect(await revisions()).toEqual(before);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('the same for any body', async () => {
    const types = [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'application/json',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), fc.uint8Array({ maxLength: 300 }), async (type, body) => {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        const response = await client.fetch({ headers, body });
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ status: 'ng', errorno: anyNumber() });
      }),
      { numRuns: 200 },
    );
  });

  it('leaves the service working', async () => {
    expect((await client.call('list_apps')).status).toBe('ok');
    expect((await client.sandbox.statistics()).inFlight).toBe(0);
  });
});
