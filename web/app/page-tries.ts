const storageKey = 'dovepost.page-tries';

/** A page that could be shown for so long has nothing to do with the tries before. */
const forgottenMs = 60_000;

type Tries = { path: string; at: number; count: number };

/**
 * The next attempt for a page whose code is missing although the server answers: to fetch it again, then to reload,
 * then nothing more by itself. The count is kept over the reload.
 */
export function nextTry(path: string, now: number): 'fetch' | 'reload' | undefined {
  const count = triesOf(path, now);
  if (count >= 2) return undefined;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ path, at: now, count: count + 1 } satisfies Tries));
  } catch {
    // Without storage nobody knows after a reload that there was one: it would never end.
    return undefined;
  }
  return count === 0 ? 'fetch' : 'reload';
}

function triesOf(path: string, now: number): number {
  try {
    const tries = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Tries | null;
    return tries !== null && tries.path === path && now - tries.at < forgottenMs ? tries.count : 0;
  } catch {
    return 0;
  }
}
