import { circlesIn, graphOf } from './circles';
import type { Import } from './imports';

/**
 * Rooms, each with those that it may import from: the rooms named, and what these may import from.
 *
 * A room is a folder with everything below it (`util/`), a folder's own files (`parts/*.ts`) or one file. A folder that
 * contains several rooms stands for all of them.
 */
export type Arrows = Readonly<Record<string, readonly string[]>>;

/** Folders or files, and the packages that they import. The longest path that matches counts. */
export type Packages = Readonly<
  Record<string, { readonly name: string; readonly typesOnly: boolean } | null>
>;

/** The imports that no arrow allows, and the files outside any room. */
export function againstArrows(
  imports: readonly Import[],
  files: readonly string[],
  arrows: Arrows,
): string[] {
  const rooms = Object.keys(arrows);
  const roomOf = (file: string) => rooms.find((room) => isIn(room, file));
  const folders = new Set(rooms.flatMap((room) => /^[^/]+\//.exec(room) ?? []));
  const stray = files.filter(
    (file) => [...folders].some((folder) => file.startsWith(folder)) && !roomOf(file),
  );
  const forbidden = imports.flatMap((each) => {
    const room = roomOf(each.from);
    if (room === undefined || each.file === undefined) return [];
    const target = roomOf(each.file);
    if (target === room || (target !== undefined && below(room, arrows).has(target))) return [];
    return [`${told(each)}: no arrow leads from ${room} to ${target ?? 'there'}`];
  });
  return [...stray.map((file) => `${file} is in no room`), ...forbidden];
}

/** The rooms that a room may import from. */
function below(room: string, arrows: Arrows, found = new Set<string>()): ReadonlySet<string> {
  for (const target of arrows[room] ?? []) {
    const inner = Object.keys(arrows).filter((each) => each === target || isFolderOf(target, each));
    if (inner.length === 0) throw new Error(`${room} has an arrow to ${target}, which is no room`);
    for (const each of inner.filter((next) => !found.has(next))) below(each, arrows, found.add(each));
  }
  return found;
}

function isIn(room: string, file: string): boolean {
  if (!room.includes('*')) return file === room || isFolderOf(room, file);
  const [start = '', end = ''] = room.split('*');
  return file.startsWith(start) && file.endsWith(end) && !file.slice(start.length).includes('/');
}

function isFolderOf(folder: string, path: string): boolean {
  return folder.endsWith('/') && path.startsWith(folder);
}

/** The imports of packages that do not exist at run time, or are not allowed in this place. */
export function againstPackages(imports: readonly Import[], packages: Packages): string[] {
  const paths = Object.keys(packages).sort((one, other) => other.length - one.length);
  return imports.flatMap((each) => {
    const path = paths.find((path) => isIn(path, each.from));
    if (path === undefined || each.file !== undefined) return [];
    const allowed = packages[path];
    if (allowed?.name === each.package && (each.typeOnly || !allowed?.typesOnly)) return [];
    const may = allowed ? `${allowed.typesOnly ? 'types of ' : ''}${allowed.name} only` : 'no package';
    return [`${told(each)}: ${path} imports ${may}`];
  });
}

/** Files that import each other in a circle. */
export function circlesOfFiles(imports: readonly Import[]): string[] {
  const graph = graphOf(imports.map(({ from, file = from }) => [from, file]));
  return circlesIn(graph).map((circle) => circle.join(' → '));
}

function told({ from, line, file, package: name }: Import): string {
  return `${from}:${line} imports ${file ?? name ?? 'by a name that only a run tells'}`;
}
