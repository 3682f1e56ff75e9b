import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../parts/model/part';
import { simplify } from '../../common/options';
import { applicationProperty } from '../../common/properties';
import { readOperation } from '../run/types';

/** Application > Get (interface.md, "get_app"). */
export const getApplication = readOperation({
  resource: 'application',
  value: 'get',
  name: 'Get',
  action: 'Get an application',
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

function presentPart(part: Part): IDataObject {
  return { ...part, options: [...part.options], children: part.children.map(presentPart) };
}
