import { useNavigate, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry was opened from the one before, which closing leads back to. */
    isOpened?: boolean;
  }
}

type Search = Record<string, unknown>;
type How = { replace?: boolean };

/** Typed letter by letter, or how a list looks: Back leads past them. */
const passing: ReadonlySet<string> = new Set(['search', 'names', 'find', 'number', 'cols']);

const pages: ReadonlySet<string> = new Set(['page', 'messages']);

/** Changes to the search of the page's address, each a step that the browser's Back undoes, unless it is only typed. */
export function useSearchChange() {
  const router = useRouter();
  const navigate = useNavigate();
  const previous = (): Search => router.latestLocation.search;

  function isPassing(changes: Search): boolean {
    const before = previous();
    const changed = Object.keys(changes).filter((key) => String(changes[key]) !== String(before[key]));
    // A search starts at the first page.
    return changed.some((key) => passing.has(key)) && changed.every((key) => passing.has(key) || pages.has(key));
  }

  function go(changes: Search, options: { replace: boolean; state?: true | { isOpened: true }; all?: Search }): void {
    const { all, ...how } = options;
    const search = all ?? ((before: Search) => ({ ...before, ...changes }));
    void navigate({ to: '.', search, resetScroll: false, ...how } as Parameters<typeof navigate>[0]);
  }

  function step(changes: Search, { replace = isPassing(changes) }: How, all?: Search): void {
    go(changes, { replace, ...(replace && { state: true }), ...(all && { all }) });
  }

  return {
    change: (changes: object, how: How = {}): void => step(changes as Search, how),
    /** All that the search holds from now on. */
    set(next: object): void {
      const absent = Object.fromEntries(Object.keys(previous()).map((key) => [key, undefined]));
      step({ ...absent, ...next }, {}, { ...next });
    },
    /** Shows a drawer, a dialog or a pane, or another thing in the one that is open. */
    open(changes: object, { isOpen = false } = {}): void {
      go(changes as Search, isOpen ? { replace: true, state: true } : { replace: false, state: { isOpened: true } });
    },
    /** As Back does, where it was opened from this page. */
    close(changes: object): void {
      if (router.latestLocation.state.isOpened === true) router.history.back();
      else go(changes as Search, { replace: true });
    },
  };
}
