/** An application label (interface.md, "Application label"). */
interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: 'blue' | 'green' | 'yellow' | 'pink' | 'red' | 'gray';
  readonly parent: number | null;
}

/** Application labels. They are always the same. */
export const labels: readonly Label[] = [
  { id: 1, name: 'Sales', color: 'blue', parent: null },
  { id: 2, name: 'Key Accounts', color: 'green', parent: 1 },
  { id: 3, name: 'Logistics', color: 'yellow', parent: null },
  { id: 4, name: 'Warehouse', color: 'pink', parent: 3 },
  { id: 5, name: 'Internal', color: 'gray', parent: null },
];
