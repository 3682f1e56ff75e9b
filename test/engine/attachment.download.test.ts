import type { IDataObject } from 'n8n-workflow';

import { CAPABILITIES } from './support/capabilities';
import { anyText } from './support/like';
import { LINES } from './support/rows';
import { each, ng, testTable, type Rows } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const DOCS = [
  { name: 'a.pdf', mimeType: 'application/pdf', text: '%PDF-1.4' },
  { name: '見積 "最終" & 1.txt', mimeType: 'text/plain', text: 'äöü' },
];
const [FIRST, LAST] = DOCS.map(({ name, mimeType, text }) => ({
  json: { recordId: '1', id: anyText, name, mimeType, size: Buffer.byteLength(text) },
  text,
}));
const plan = (name: string) => ({ name, text: name });
const application = {
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [
    {
      ...{ Name: 'Order', Docs: DOCS },
      Lines: [
        { Item: 'a', Plan: [plan('one')] },
        { Item: 'b' },
        { Item: 'c', Plan: [plan('two'), plan('three')] },
      ],
    },
    { Name: 'Empty' },
  ],
};
const PLAN = { attachmentPart: 'Lines.Plan' };
const place = useWorkplace(null);
const input: { json: IDataObject }[] = [{ json: {} }];
const cases = (rows: Rows): void =>
  testTable(
    place,
    {
      ...{ resource: 'attachment', operation: 'download', recordId: '1', attachmentPart: 'Docs' },
      ...{ attachmentIds: '', binaryPropertyName: 'data' },
    },
    rows,
    { application },
  );

cases({
  'one item per file, with its name, type, size and content': {
    output: [FIRST!.json, LAST!.json],
    after: async (_, { items }) => {
      const files = items.map(({ binary }) => binary!.data!);
      const texts = files.map(({ data }) => Buffer.from(data, 'base64').toString('utf8'));
      expect(texts).toEqual([FIRST!.text, LAST!.text]);
      expect(files[1]).toMatchObject({ fileName: DOCS[1]?.name, mimeType: 'text/plain' });
      if (await CAPABILITIES.fileSizes()) expect(files[1]?.bytes).toBe(6);
    },
  },
  ...each(['download', 'getAll'])('no item if there are no files: %s', (operation) => ({
    ...{ run: { operation, recordId: '2' }, output: [] },
  })),
  'Get Many tells the same without downloading anything': {
    ...{ run: { operation: 'getAll' }, output: [FIRST!.json, LAST!.json] },
    ...{ actions: ['get_app', 'get_data'] },
    after: (_, { items }) => expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]),
  },
  ...each([
    ['the one that was selected from the list', true, [LAST!.json]],
    ['all of them if none is selected', false, [FIRST!.json, LAST!.json]],
  ] satisfies [string, boolean, object[]][])('%s', ([, isSelected, output]) => ({
    before: async () => {
      const { Docs } = await place.read();
      input[0] = { json: { id: isSelected ? (Docs as { id: string }[])[1]!.id : '' } };
    },
    run: { attachmentIds: { __rl: true, mode: 'list', value: '={{ $json.id }}' } },
    ...{ engine: { input }, output },
  })),
  'the named files, as a read returns them': {
    before: async () => void (input[0] = { json: await place.read() }),
    ...{ engine: { input }, run: { attachmentIds: '={{ [$json.Docs[1]] }}' }, output: [LAST!.json] },
  },
  'a missing one is told, with those that are there': {
    ...{ run: { attachmentIds: '99999' }, error: 'Record 1 has no file 99999 in "Docs"', advice: /\d \(/ },
  },
  ...each([
    [PLAN, ['1 one', '3 two', '3 three']],
    [{ ...PLAN, rowId: '3' }, ['3 two', '3 three']],
    [{ ...PLAN, rowId: '3', operation: 'getAll' }, ['3 two', '3 three']],
    [{ ...PLAN, rowId: '2' }, []],
  ] satisfies [RunSettings, string[]][])('files in rows, of all or of one: %s', ([run, files]) => ({
    ...{ run },
    shows: files.map((file) => ({ rowId: file.slice(0, 1), name: file.slice(2) })),
  })),
  'a part inside a table part by its IDs, and a row that is not there': {
    before: () => void (input[0] = { json: { part: `${place.part('Lines')}.${place.part('Lines.Plan')}` } }),
    ...{ engine: { input }, run: { attachmentPart: '={{ $json.part }}', rowId: '9' } },
    error: /"Lines" \(ID.*has no row 9/,
  },
  'a part that is none is refused with a sentence': {
    ...{ run: { attachmentPart: 'Name' }, error: 'is not an attachment part' },
    advice: 'The attachment parts are: "Docs", "Lines.Plan".',
  },
  ...each(['../../etc/passwd', 'C:\\temp\\passwd', '/passwd', 'a/../passwd', 'pass\u202ewd'])(
    'folders are removed from the name %s',
    (name) => ({
      before: async () => await place.change({ Docs: [{ name, text: 'x' }] }),
      shows: [{ name: 'passwd' }],
      after: (_, { items }) => {
        expect(items[0]?.binary?.data?.fileName).toBe('passwd');
        expect(items[0]?.binary?.data?.directory).toBeUndefined();
      },
    }),
  ),
  // What is taken for a file stands in test/unit/service/read/download.test.ts.
  ...each(['200', '400'])('a refusal with HTTP status %s names the file and the reason', (failureStatus) => ({
    ...{ dialect: { failureStatus }, faults: [ng('download_data_file', { message: 'no right' })] },
    ...{ error: /The file "a\.pdf".*no right/, advice: 'right to read it' },
  })),
  'a file that disappeared after the record was read is told as such': {
    meanwhile: [{ action: 'download_data_file' }, async () => await place.change({ Docs: [] })],
    ...{ error: 'is not available to you', advice: 'removed after the record was read' },
  },
  'a part without the right to read it is told as such': {
    ...{
      rights: { parts: { Docs: 'none' } },
      error: /"Docs" \(ID.*is not shown: you have no right to read it/,
    },
  },
  ...each([
    [{ attachmentIds: '={{ $json.x }}' }, 'The list of attachment IDs is empty'],
    [{ attachmentIds: '={{ [null] }}' }, 'The list of attachment IDs is empty'],
    [{ attachmentIds: '={{ "[]" }}' }, 'The list of attachment IDs is empty'],
    [{ ...PLAN, rowId: '={{ $json.x }}' }, 'The row ID is empty'],
  ] satisfies [RunSettings, string][])(
    'what an expression does not give does not mean all of them: %s',
    ([run, error]) => ({ run, error }),
  ),
});
