import { partsOf } from '../../support/parts';
import type { PartDefinition } from '../../support/sandbox';
import { LINES } from './rows';
import type { Workplace } from './workplace';

/** A file as the sandbox stores it. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** An application with texts, files, and rows with files. */
export const ORDER_PARTS: readonly PartDefinition[] = [
  ...partsOf({ Name: 'textbox', Note: 'textarea', Docs: 'files' }),
  LINES,
];

/** A record with two files and a row. */
export const ORDER = {
  Name: 'Order',
  Docs: [
    { name: 'a.txt', text: 'a' },
    { name: 'b.txt', text: 'bb' },
  ],
  Lines: [{ Item: 'first' }],
};

interface StoredOrders {
  docs(at?: number): Promise<StoredFile[]>;
  names(at?: number): Promise<string[]>;
  lines(at?: number): Promise<{ Item?: string; Plan: StoredFile[] }[]>;
  /** The actions that added and changed records, in order. */
  writes(): Promise<string[]>;
}

/** The stored files and rows of the record at an index; by default, the first one. */
export function storedOrders(place: Workplace): StoredOrders {
  const values = async (at: number) => (await place.stored())[at]?.values ?? {};
  const docs = async (at = 0) => ((await values(at)).Docs ?? []) as StoredFile[];
  return {
    docs,
    names: async (at = 0) => (await docs(at)).map(({ name }) => name),
    lines: async (at = 0) => ((await values(at)).Lines ?? []) as { Item?: string; Plan: StoredFile[] }[],
    writes: async () => (await place.actions()).filter((action) => /^(insert|update)_data$/.test(action)),
  };
}
