import type { Call } from '../call/call.ts';
import { wrongParameter } from '../call/refusals.ts';
import { isComputed, type Part } from '../parts/part.ts';
import { flag, idOf, itemsOf } from '../parts/shapes.ts';
import { rowIdPart } from '../records/read/reader.ts';
import type { Resolver } from '../records/read/resolver.ts';
import { Access } from '../records/read/rights.ts';
import type { Workbench } from '../records/workbench.ts';
import type { Dialect } from '../settings/switches.ts';
import type { Application } from '../storage/applications.ts';
import { labels } from '../storage/labels.ts';
import { namedApplication, type Answer } from './action.ts';
import { listAnswer, readPage } from './lists.ts';

/** Characters of `overview_text` (interface.md, "Limits"). */
const overviewLength = 256;

/** list_applabels (interface.md, "list_applabels (application label list)"). */
export function listApplabels(_call: Call, { dialect }: Workbench): Answer {
  const items = labels.map(({ id, name, color, parent }) => ({
    id: idOf(id, dialect),
    name,
    color,
    parent_id: idOf(parent ?? '', dialect),
  }));
  return itemsAnswer(items, dialect);
}

/** list_apps (interface.md, "list_apps (application list)"). */
export function listApps(call: Call, workbench: Workbench): Answer {
  const { storage, dialect } = workbench;
  const labelled = readLabel(call);
  const keyword = (call.parameters.get('keyword') ?? '').toLowerCase();
  const { offset, limit } = readPage(call);
  const items = storage.applications
    .all()
    .filter((application) => new Access(call.user, application).enters)
    .filter(labelled)
    .filter(({ name, overview }) => `${name}\n${textOf(overview)}`.toLowerCase().includes(keyword))
    .slice(offset, offset + limit)
    .map((application) => ({
      id: idOf(application.id, dialect),
      name: application.name,
      app_status: application.status,
      overview_text: [...textOf(application.overview)].slice(0, overviewLength).join(''),
      ...iconsOf(call.baseUrl, application),
    }));
  return itemsAnswer(items, dialect);
}

/** get_app (interface.md, "get_app (application details)"). */
export function getApp(call: Call, workbench: Workbench): Answer {
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
}

function itemsAnswer(items: readonly object[], dialect: Dialect): Answer {
  return listAnswer(
    items.map((item) => JSON.stringify(item)),
    dialect,
  );
}

function readLabel(call: Call): (application: Application) => boolean {
  const label = call.parameters.get('label_id') ?? '';
  if (label === '' || label === 'all') return () => true;
  if (label === 'self') return ({ creator }) => creator === call.user.id;
  if (label === 'favorite') return ({ favorites }) => favorites.includes(call.user.id);
  if (!labels.some(({ id }) => String(id) === label)) {
    throw wrongParameter('label_id', `names no label: "${label}"`);
  }
  return (application) => application.labels.includes(Number(label));
}

/** Addresses of an application's icons. */
function iconsOf(baseUrl: string, { id }: Application): { portal_icon: string; pallet_menu_icon: string } {
  return {
    portal_icon: `${baseUrl}/icons/portal-${id}.svg`,
    pallet_menu_icon: `${baseUrl}/icons/palette-${id}.svg`,
  };
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The text of a description, as a reader of the page sees it: without tags, styles, scripts and comments. */
function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<(style|script)\b[^>]*>.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&([a-z]+);/g, (written, name: string) => characters[name] ?? written)
    .replace(/\s+/gu, ' ')
    .trim();
}

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
