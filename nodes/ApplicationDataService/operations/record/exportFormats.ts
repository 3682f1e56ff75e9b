import type { IDataObject } from 'n8n-workflow';

import { namesInstead } from '../../parts/codecs';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { ownFirst } from '../../parts/record';
import { ownIdPart } from '../../parts/types/id';
import { plainDecimal } from '../../parts/values/decimal';

export interface ExportFormat {
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
