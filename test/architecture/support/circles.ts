/** The imports between files, or between folders. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export function graphOf(edges: Iterable<readonly [from: string, to: string]>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets.add(to));
  }
  return graph;
}

/** A path that ends where it begins: `[a, b, a]`. */
export type Circle = readonly string[];

/** Circles that would all be broken by removing their steps: the shortest first, and no step in two of them. */
export function circlesIn(graph: Graph): Circle[] {
  const left = new Map([...graph].map(([from, targets]) => [from, new Set(targets)]));
  const circles: Circle[] = [];
  for (let circle = shortest(left); circle !== undefined; circle = shortest(left)) {
    circles.push(circle);
    circle.slice(1).forEach((to, index) => left.get(circle?.[index] ?? '')?.delete(to));
  }
  return circles;
}

function shortest(graph: Graph): Circle | undefined {
  const circles = [...graph.keys()].sort().flatMap((start) => {
    const way = shortestWayBack(graph, start);
    return way === undefined ? [] : [[...way, start]];
  });
  return circles.sort((one, other) => one.length - other.length)[0];
}

/** The shortest path from a place back to it. */
function shortestWayBack(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const place of queue) {
    for (const next of graph.get(place) ?? []) {
      if (next === start) return wayTo(place, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, place);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way: string[] = [];
  for (let place: string | undefined = end; place !== undefined; place = cameFrom.get(place))
    way.unshift(place);
  return way;
}
