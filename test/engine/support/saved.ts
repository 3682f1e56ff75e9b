import type { INodeParameters } from 'n8n-workflow';

// Parameters as n8n saves them.

export const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });
export const byIdentifier = (value: string): INodeParameters => ({ __rl: true, mode: 'identifier', value });
/** The values of parts; `null` maps automatically. */
export const mapped = (value: unknown, matchingColumns: unknown = []): INodeParameters => {
  const mappingMode = value === null ? 'autoMapInputData' : 'defineBelow';
  return { mappingMode, value, matchingColumns, schema: [] } as INodeParameters;
};
