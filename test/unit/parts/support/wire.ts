import type { KeyMode, Part, WriteValue } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { partKey } from '../../../../nodes/ApplicationDataService/parts/model/keys';

/**
 * The `val` that the service returns for a part after `written` was stored over `stored` (interface.md, "Value
 * formats").
 */
export function storedVal(
  part: Part,
  written: WriteValue,
  mode: KeyMode = 'name',
  stored: unknown = '',
): unknown {
  switch (written.kind) {
    case 'keep':
      return stored;
    case 'empty':
      return storedText(part.type, '');
    case 'text':
      return storedText(part.type, written.text);
    case 'rows':
      return { child_records: { item: written.rows.map((row, index) => storedRow(row, index, mode)) } };
    case 'files':
      throw new Error('files are stored by uploads, not by a value');
  }
}

function storedText(type: string, text: string): unknown {
  if (type === 'users' || type === 'groups') {
    const item = text
      .split('\t')
      .filter((id) => id !== '')
      .map((id) => ({ id, Name: `Name of ${id}` }));
    return { [type]: { item } };
  }
  return type === 'time' && text !== '' ? Number(text) : text;
}

type Rows = Extract<WriteValue, { kind: 'rows' }>['rows'];

function storedRow(row: Rows[number], index: number, mode: KeyMode): Record<string, unknown> {
  const stored: Record<string, unknown> = { data_id: row.id ?? String(1000 + index) };
  for (const { part, value } of row.values)
    stored[partKey(part, mode)] = { val: storedVal(part, value, mode) };
  return stored;
}
