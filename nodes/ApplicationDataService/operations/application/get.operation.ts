import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../parts/model/part';
import { outputOption } from '../../common/options';
import { applicationProperty, optionsProperty } from '../../common/properties';
import type { ItemOperation } from '../run/types';

/** Application > Get (interface.md, "get_app"). */
export const getApplication: ItemOperation = {
  resource: 'application',
  value: 'get',
  name: 'Get',
  action: 'Get an application',
  description: 'Read an application with its parts',
  properties: [applicationProperty, optionsProperty([outputOption])],
  async execute(item) {
    const { application } = await item.application();
    const { raw, parts, ...simplified } = application;
    if (item.options().output === 'raw') return [{ json: raw as IDataObject }];
    return [{ json: { ...simplified, parts: parts.map(presentPart) } }];
  },
};

function presentPart(part: Part): IDataObject {
  return { ...part, options: [...part.options], children: part.children.map(presentPart) };
}
