import type { Call } from '../call/call.ts';
import { wrongParameter } from '../call/refusals.ts';
import { idOf } from '../parts/shapes.ts';
import { Access } from '../records/read/rights.ts';
import type { Application } from '../storage/applications.ts';
import type { Workbench } from '../records/workbench.ts';
import type { Action, Answer } from './action.ts';
import { listAnswer, readPage } from './lists.ts';

/** Characters of `overview_text` (interface.md, "Limits"). */
const overviewLength = 256;

/** list_apps (interface.md, "list_apps (application list)"). */
export const listApps: Action = {
  name: 'list_apps',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { storage, dialect } = workbench;
    const labelled = readLabel(call, workbench);
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
    const texts = items.map((item) => JSON.stringify(item));
    return listAnswer(texts, dialect);
  },
};

function readLabel(call: Call, { storage }: Workbench): (application: Application) => boolean {
  const label = call.parameters.get('label_id') ?? '';
  if (label === '' || label === 'all') return () => true;
  if (label === 'self') return ({ creator }) => creator === call.user.id;
  if (label === 'favorite') return ({ favorites }) => favorites.includes(call.user.id);
  if (!storage.labels.all().some(({ id }) => String(id) === label)) {
    throw wrongParameter('label_id', `names no label: "${label}"`);
  }
  return ({ labels }) => labels.includes(Number(label));
}

/** Addresses of an application's icons. */
export function iconsOf(
  baseUrl: string,
  { id }: Application,
): { portal_icon: string; pallet_menu_icon: string } {
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
