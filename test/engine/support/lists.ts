import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { ApplicationDataService } from '../../../nodes/ApplicationDataService/ApplicationDataService.node';
import type { Engine } from '../../support/engine';
import type { ApplicationDefinition } from '../../support/sandbox';
import { eachOf } from './each';
import type { Workplace } from './workplace';

interface Choice {
  readonly name: string;
  readonly value: unknown;
}

/** What a list of the editor gives: choices, a page of them, or the fields of a mapper. */
interface Listed {
  readonly results?: readonly Choice[];
  readonly paginationToken?: string;
}

interface Asked {
  /** Saved parameters, besides the application of the workplace. */
  readonly given?: INodeParameters;
  /** Where the parameter is whose list is asked for. */
  readonly path?: string;
  readonly filter?: string;
  readonly token?: string | undefined;
  /** Another credential. */
  readonly engine?: Engine;
}

type Method = (this: ILoadOptionsFunctions, filter?: string, token?: string) => Promise<Listed | Choice[]>;
const { listSearch, loadOptions, resourceMapping } = new ApplicationDataService().methods;
const METHODS = { ...listSearch, ...loadOptions, ...resourceMapping } as unknown as Record<string, Method>;

/** Asks for a list as the editor does. */
export async function listOf(place: Workplace, method: string, asked: Asked = {}): Promise<Listed> {
  const { given, path, filter, token, engine = place.engine } = asked;
  const application = { __rl: true, mode: 'list', value: place.app.id };
  const context = engine.editor({ resource: 'record', operation: 'getAll', application, ...given }, path);
  const listed = await METHODS[method]!.call(context, filter, token);
  return Array.isArray(listed) ? { results: listed } : listed;
}

/** A list that the editor asks for. */
export interface ListRow extends Asked {
  /** The method, if not that of the table. */
  readonly list?: string;
  readonly application?: Partial<ApplicationDefinition>;
  readonly dialect?: Readonly<Record<string, unknown>>;
  readonly before?: (place: Workplace) => unknown;
  /** The names of the choices. */
  readonly names?: unknown;
  /** Their values. */
  readonly values?: unknown;
  /** All that is given. */
  readonly gives?: (place: Workplace) => unknown;
  readonly error?: string;
}

/** Lists by names, which say what each shows. */
export type ListRows = Readonly<Record<string, ListRow>>;
export const each = eachOf<ListRow>();

/** Asks for a list once for each row, and compares. */
export function testLists(place: Workplace, method: string, rows: ListRows, common: ListRow = {}): void {
  test.each(Object.entries(rows))('%s', async (_, named) => {
    const row = { ...common, ...named };
    await place.open(row.application);
    await row.before?.(place);
    if (row.dialect !== undefined) await place.sandbox.setDialect(row.dialect);
    const asking = listOf(place, row.list ?? method, row);
    if (row.error !== undefined) return await expect(asking).rejects.toThrow(row.error);
    const listed = await asking;
    const { results = [] } = listed;
    if (row.names !== undefined) expect(results.map(({ name }) => name)).toEqual(row.names);
    if (row.values !== undefined) expect(results.map(({ value }) => value)).toEqual(row.values);
    if (row.gives !== undefined) expect(listed).toEqual(row.gives(place));
  });
}
