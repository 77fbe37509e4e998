const longestName = 64;

/** `sendAt`, `send_at` and `Send-At` are the same word. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, '');

/**
 * The name of `known` that a misspelt one most likely means: another way to write it, at most a third of its letters
 * wrong, or a part of it as in `paused` for `is_paused`; undefined where nothing is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const wanted = plain(name);
  let nearest: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const each of known) {
    const candidate = plain(each);
    const isPart = wanted.length >= 4 && candidate.includes(wanted);
    const distance = isPart ? Math.min(1, candidate.length - wanted.length) : editDistance(wanted, candidate);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** Letters to add, drop, replace or swap with their neighbour until one text is the other. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const steps = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + Number(!isSame),
      ];
      if (isSwapped) steps.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
