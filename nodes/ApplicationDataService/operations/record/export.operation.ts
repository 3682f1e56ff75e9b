import type { IDataObject } from 'n8n-workflow';

import { filterJson, sort, keyword, keywordParts } from '../../common/query';
import { filtersProperty, match } from '../../common/filters';
import { partsToReturn } from '../../common/options';
import { recordPresenter } from '../../common/presentation';
import { applicationProperty, outputFieldProperty } from '../../common/properties';
import { choiceSetting, optionSwitch } from '../../common/setting';
import { chosenParts } from '../../parts/choose';
import { namesInstead } from '../../parts/codecs';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { ownFirst } from '../../parts/record';
import { ownIdPart } from '../../parts/types/id';
import { plainDecimal } from '../../parts/values/decimal';
import { describeList } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import { streamOf } from '../../service/http/byteStream';
import { cancelled } from '../../service/http/errors';
import { readSelection, Warnings } from '../../service/read/selection';
import { recordQuery } from '../input/recordQuery';
import { hintAtWarnings } from '../output/records';
import { readOperation } from '../run/types';

const format = choiceSetting<'csv' | 'ndjson'>({
  displayName: 'Format',
  name: 'format',
  type: 'options',
  options: [
    {
      name: 'CSV',
      value: 'csv',
      description:
        'A table with one column per part. Values are written exactly as they are. A spreadsheet program may treat values that start with =, +, - or @ as formulas, unless it imports the columns as text.',
    },
    {
      name: 'NDJSON',
      value: 'ndjson',
      description: 'One simplified record per line, as JSON with its full structure',
    },
  ],
  default: 'csv',
});

const readable = optionSwitch(true, {
  displayName: 'Readable',
  name: 'readable',
  displayOptions: { show: { '/format': ['csv'] } },
  description:
    'Whether to show users, groups and files by name, and reference lists by what they show, instead of as JSON',
});

const bom = optionSwitch(true, {
  displayName: 'Byte Order Mark',
  name: 'bom',
  displayOptions: { show: { '/format': ['csv'] } },
  description: 'Whether to start the file with a mark that helps spreadsheet programs recognize UTF-8',
});

/**
 * Writes records to a file: `list_data` page by page, with filter, keyword, sort and parts to return as in Get Many,
 * streamed, so that a file of any length takes the memory of some pages. One item per item: the count, with a CSV or
 * NDJSON file.
 */
export const exportRecords = readOperation({
  resource: 'record',
  value: 'export',
  name: 'Export',
  action: 'Export records to file',
  description: 'Write all records of an application, or those that meet conditions, to a CSV or NDJSON file',
  properties: [
    applicationProperty,
    format.property,
    outputFieldProperty('file'),
    match.property,
    filtersProperty,
    sort.property,
  ],
  options: { bom, filterJson, keyword, keywordParts, partsToReturn, readable },
  async execute(item, options) {
    const app = await item.application(true);
    const { parts, name } = app.application;
    const field = item.requiredText('binaryPropertyName', 'The name of the field for the file');
    const query = await recordQuery(item, app, options);
    item.run.hints.sameQuestion(['export', app.reference, query]);
    // The parts that have a column, in the application's order.
    const chosen = chosenParts(parts, options.partsToReturn);
    const columns = chosen.length === 0 ? parts : parts.filter((part) => chosen.includes(part));
    const written = item.get(format) === 'csv' ? csvFormat(columns, query.keyMode, options) : ndjsonFormat;
    const { simplify } = recordPresenter(parts, query.keyMode, options);

    const { context } = item.run;
    const warnings = new Warnings();
    const errors = new Set<string>();
    let count = 0;
    const chunks = async function* (): AsyncGenerator<Buffer> {
      if (written.head !== '') yield Buffer.from(written.head);
      for await (const page of readSelection(app, query, warnings)) {
        if (context.getExecutionCancelSignal()?.aborted === true) throw cancelled({}, 'No file was made.');
        const records = page.map((record) => warnings.watch(simplify(record)));
        count += records.length;
        for (const { partErrors } of records)
          for (const [key, error] of Object.entries(partErrors ?? {}))
            errors.add(`${key} (${readText(error)})`);
        yield Buffer.from(records.map((record) => written.line(record)).join(''));
      }
    };
    const file = await context.helpers.prepareBinaryData(
      streamOf(chunks()),
      exportFileName(name, written),
      written.mimeType,
    );
    hintAtWarnings(item, warnings);
    if (written !== ndjsonFormat && errors.size > 0) {
      // A cell cannot say why it is empty.
      item.run.hints.add(
        `Some values are empty in the file because the service does not return them: ${describeList([...errors])}`,
        'empty cells',
      );
    }
    return [{ json: { count }, binary: { [field]: file } }];
  },
});

interface ExportFormat {
  readonly extension: string;
  readonly mimeType: string;
  readonly head: string;
  line(record: IDataObject): string;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** CSV: a header, then one line a record. @param bom a mark that helps spreadsheet programs recognize UTF-8. */
export function csvFormat(
  parts: readonly Part[],
  keyMode: KeyMode,
  { bom, readable }: { readonly bom: boolean; readonly readable: boolean },
): ExportFormat {
  const idPart = ownIdPart(parts);
  const keyed = ownFirst(parts).filter((part) => part !== idPart && partKey(part, keyMode) !== '');
  const columns = new Map(keyed.map((part) => [outputKey(partKey(part, keyMode)), part]));
  const keys = [...new Set(['id', 'revision', ...columns.keys()])];
  const cellOf = (record: IDataObject, key: string): string => {
    // A part may be named as what every object inherits.
    const value = Object.hasOwn(record, key) ? record[key] : null;
    const part = readable ? columns.get(key) : undefined;
    return csvCell(part === undefined ? value : namesInstead(part, value));
  };
  return {
    extension: 'csv',
    mimeType: 'text/csv',
    head: `${bom ? BYTE_ORDER_MARK : ''}${keys.map(csvCell).join(',')}\r\n`,
    line: (record) => `${keys.map((key) => cellOf(record, key)).join(',')}\r\n`,
  };
}

export const ndjsonFormat: ExportFormat = {
  extension: 'ndjson',
  mimeType: 'application/x-ndjson',
  head: '',
  line: (record) => `${JSON.stringify(record)}\n`,
};

/** A disk takes names of 255 bytes, and a character has at most four; this leaves room for an ending. */
const MAX_FILE_NAME = 60;

/** A file name that every system takes: what some of them refuse becomes an underscore, marks of direction go. */
export function exportFileName(name: string, { extension }: ExportFormat): string {
  const safe = name
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\\/:*?"<>|]/gu, '_');
  const short = [...safe.trim()].slice(0, MAX_FILE_NAME).join('').trim();
  return `${short || 'export'}.${extension}`;
}

/** What a cell is quoted for (RFC 4180). Programs that read CSV strip characters up to the space from its ends. */
const SPECIAL = /[",\r\n]|^[\0- ]|[\0- ]$/;

/**
 * A value as one cell: choices one a line, objects as JSON. What begins with `=`, `+`, `-` or `@` stands as it is: an
 * apostrophe before it would spoil phone numbers and negative numbers for other programs.
 */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'string') return value ?? '';
  // As a person writes it: JavaScript makes `1e-7` of 0.0000001.
  if (typeof value === 'number') return plainDecimal(String(value)) ?? String(value);
  if (!Array.isArray(value) || value.some((item) => typeof item === 'object')) return JSON.stringify(value);
  return value.join('\n');
}
