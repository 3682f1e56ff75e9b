import type { INodeParameterResourceLocator } from 'n8n-workflow';

import { readText } from '../parts/values/wire';

/** `app_id` for a saved resource locator: an id, or `@` and an identifier (interface.md, convention 4). */
export function readApplicationReference(saved: unknown): string {
  const locator = saved as Partial<INodeParameterResourceLocator> | string | number | null | undefined;
  if (typeof locator !== 'object' || locator === null) return readText(locator).trim();
  const value = readText(locator.value).trim();
  return locator.mode === 'identifier' && value !== '' ? `@${value.replace(/^@/, '')}` : value;
}
