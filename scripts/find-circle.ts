type File = { source: string; dependencies: readonly { resolved: string }[] };

/** The room of a file: its folder two levels below `under` (`messaging/messages`). */
function roomOf(path: string, under: string): string | undefined {
  return path.startsWith(under) ? path.slice(under.length).split('/').slice(0, 2).join('/') : undefined;
}

/**
 * Rooms below a folder that need each other, as `a → b → a`; undefined where one stands above the other everywhere.
 * Types count: what a file knows is what has to be read with it. Tests may reach up.
 */
export function findCircle(files: readonly File[], under: string): string | undefined {
  const needs = new Map<string, Set<string>>();
  for (const { source, dependencies } of files) {
    const room = roomOf(source, under);
    if (room === undefined || /\.test\.tsx?$/.test(source)) continue;
    const needed = needs.get(room) ?? new Set();
    needs.set(room, needed);
    for (const { resolved } of dependencies) {
      const other = roomOf(resolved, under);
      if (other !== undefined && other !== room) needed.add(other);
    }
  }
  const sound = new Set<string>();
  function walk(room: string, path: readonly string[]): string | undefined {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(' → ');
    if (sound.has(room)) return undefined;
    for (const other of needs.get(room) ?? []) {
      const circle = walk(other, [...path, room]);
      if (circle !== undefined) return circle;
    }
    sound.add(room);
    return undefined;
  }
  for (const room of needs.keys()) {
    const circle = walk(room, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
