import type { Call } from '../call/call.ts';
import type { Dialect } from '../settings/switches.ts';
import { flag, idOf, itemsOf } from '../parts/shapes.ts';
import { isComputed, type Part } from '../parts/part.ts';
import { rowIdPart } from '../records/read/reader.ts';
import type { Resolver } from '../records/read/resolver.ts';
import type { Workbench } from '../records/workbench.ts';
import { namedApplication, type Action, type Answer } from './action.ts';
import { iconsOf } from './listApps.ts';

/** get_app (interface.md, "get_app (application details)"). */
export const getApp: Action = {
  name: 'get_app',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application } = namedApplication(call, workbench);
    const { dialect } = workbench;
    const resolver = workbench.resolver(call.user);
    const items = application.parts.map((part) => definitionOf(part, resolver, dialect));
    return {
      body: {
        id: idOf(application.id, dialect),
        name: application.name,
        app_status: application.status,
        overview: application.overview,
        ...iconsOf(call.baseUrl, application),
        fields: itemsOf(items, dialect),
      },
    };
  },
};

/** One part definition. A reference part has its source part's type, options and flags. */
function definitionOf(
  part: Part,
  resolver: Resolver,
  dialect: Dialect,
  list?: Part,
): Record<string, unknown> {
  const source = list === undefined ? resolver.sourcePart(part) : resolver.listedPart(list, part);
  const shown = typeof source === 'string' ? undefined : source;
  return {
    id: idOf(part.id, dialect),
    name: part.name,
    field_alias: part.identifier,
    is_ref: flag(part.type === 'reference'),
    readonly: flag(part.readonly || isComputed(part)),
    system: flag(shown?.system !== undefined),
    type: shown?.type ?? 'rel_field',
    options: (shown?.options ?? []).join('\t'),
    allow_other: flag(shown?.allowOther ?? false),
    ...(shown?.timeUnit === undefined ? {} : { time_unit: shown.timeUnit }),
    ...childrenOf(part, resolver, dialect),
  };
}

function childrenOf(part: Part, resolver: Resolver, dialect: Dialect): Record<string, unknown> {
  if (part.type !== 'input_list' && part.type !== 'rel_list') return {};
  const list = part.type === 'rel_list' ? part : undefined;
  const items = part.children.map((child) => definitionOf(child, resolver, dialect, list));
  if (part.type === 'input_list' && dialect.rowIds === 'part') items.unshift(rowIdDefinition(part, dialect));
  return { child: { list: itemsOf(items, dialect) } };
}

function rowIdDefinition(table: Part, dialect: Dialect): Record<string, unknown> {
  return {
    id: idOf(table.rowIdPart ?? '', dialect),
    name: rowIdPart.name,
    field_alias: rowIdPart.identifier,
    is_ref: 'off',
    readonly: 'on',
    system: 'on',
    type: 'id',
    options: '',
    allow_other: 'off',
  };
}
