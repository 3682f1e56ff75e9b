import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../parts/model/part';
import { simplify } from '../../common/options';
import { applicationProperty } from '../../common/properties';
import { readOperation } from '../run/types';

/**
 * Reads one application: `get_app` with its ID or `@identifier`, once a run however many items name it. One item: name,
 * status, texts and part definitions, without how the nodes read and write a type; or the service's object as it came.
 */
export const getApplication = readOperation({
  resource: 'application',
  value: 'get',
  name: 'Get',
  action: 'Get application',
  description: 'Read an application with its parts',
  properties: [applicationProperty, simplify.property],
  options: {},
  async execute(item) {
    const { application } = await item.application();
    const { raw, parts, ...simplified } = application;
    if (!item.get(simplify)) return [{ json: raw as IDataObject }];
    return [{ json: { ...simplified, parts: parts.map(presentPart) } }];
  },
});

/** A part as the service describes it, without how the nodes read and write its type. */
function presentPart(part: Part): IDataObject {
  const described = Object.entries(part).filter(([name]) => name !== 'codec');
  const children = part.children.map(presentPart);
  return { ...Object.fromEntries(described), options: [...part.options], children };
}
