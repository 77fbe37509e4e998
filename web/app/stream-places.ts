import { randomId } from '#web/shared/random-id.ts';

/** Over HTTP/1.1 a browser has six connections to a server: two are left for all else that its tabs ask for. */
const maxStreams = 4;
/** The other tabs answer within it, unless they are busy or gone. */
const answerMs = 200;
/** How old a page may be that is looked at and has no stream. */
const waitMs = 15_000;

type Tab = { id: string; isVisible: boolean; lookedAtMs: number };
type Word = { kind: 'asks' | 'tells'; tab: Tab } | { kind: 'leaves'; id: string };

type Places = {
  /** The tab has come into view or out of it, or has been clicked into. */
  look(isVisible: boolean): void;
  /** Gives the place up, and asks for none until the next `look`. */
  leave(): void;
  close(): void;
};

/**
 * A place for a stream, among all tabs of this browser: each tells the others when it was last looked at, and those
 * looked at last have a place. `onPlace` says whether this tab has one; `onWait` is called now and then while it is
 * looked at and has none. Without Web Locks, which exist only on https and localhost. A tab that is told late may have a
 * place too many until it hears, and a tab that went without a word counts until the next time that somebody asks.
 */
export function joinPlaces({ onPlace, onWait }: { onPlace: (has: boolean) => void; onWait: () => void }): Places {
  const channel = new BroadcastChannel('dovepost.streams');
  const own: Tab = { id: randomId(), isVisible: false, lookedAtMs: 0 };
  const others = new Map<string, Tab>();
  const heard = new Set<string>();
  let isIn = false;
  let hasPlace = false;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function say(word: Word): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
    channel.postMessage(word);
  }

  function setPlace(has: boolean): void {
    if (has === hasPlace) return;
    hasPlace = has;
    onPlace(has);
  }

  function ask(): void {
    heard.clear();
    say({ kind: 'asks', tab: own });
    clearTimeout(asking);
    asking = setTimeout(() => {
      asking = undefined;
      for (const id of others.keys()) if (!heard.has(id)) others.delete(id);
      if (isFirst()) setPlace(true);
      settle();
    }, answerMs);
  }

  const isFirst = () => [...others.values()].filter((tab) => isBefore(tab, own)).length < maxStreams;

  /** A place is given up at once, and taken only when the others have been asked. */
  function settle(): void {
    if (!isFirst()) setPlace(false);
    else if (isIn && !hasPlace && asking === undefined) ask();
    if (!isIn || hasPlace || !own.isVisible) {
      clearTimeout(waiting);
      waiting = undefined;
      return;
    }
    // The words of others do not put it off.
    waiting ??= setTimeout(() => {
      waiting = undefined;
      onWait();
      ask();
    }, waitMs);
  }

  channel.addEventListener('message', ({ data: word }: MessageEvent<Word>) => {
    if (word.kind === 'leaves') {
      others.delete(word.id);
    } else {
      others.set(word.tab.id, word.tab);
      heard.add(word.tab.id);
      if (word.kind === 'asks' && isIn) say({ kind: 'tells', tab: own });
    }
    if (isIn) settle();
  });

  function leave(): void {
    if (isIn) say({ kind: 'leaves', id: own.id });
    isIn = false;
    clearTimeout(asking);
    asking = undefined;
    clearTimeout(waiting);
    waiting = undefined;
    setPlace(false);
  }

  return {
    look(isVisible) {
      isIn = true;
      own.isVisible = isVisible;
      own.lookedAtMs = Date.now();
      if (isVisible || !hasPlace) ask();
      else say({ kind: 'tells', tab: own });
      settle();
    },
    leave,
    close() {
      leave();
      channel.close();
    },
  };
}

function isBefore(tab: Tab, other: Tab): boolean {
  if (tab.isVisible !== other.isVisible) return tab.isVisible;
  if (tab.lookedAtMs !== other.lookedAtMs) return tab.lookedAtMs > other.lookedAtMs;
  return tab.id < other.id;
}

type Listening = { onPlace: (has: boolean) => void; onWait: () => void; signal: AbortSignal };

/** As `joinPlaces`, for this tab, until aborted; at once where the server's connections do not run out. */
export function awaitPlace({ onPlace, onWait, signal }: Listening): void {
  if (isMultiplexed(performance.getEntriesByType('resource') as PerformanceResourceTiming[])) {
    onPlace(true);
    signal.addEventListener('abort', () => onPlace(false));
    return;
  }
  const places = joinPlaces({ onPlace, onWait });
  const look = () => places.look(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', look, { signal });
  window.addEventListener('focus', look, { signal });
  // A page that is suspended could not answer.
  window.addEventListener('pagehide', places.leave, { signal });
  window.addEventListener('pageshow', look, { signal });
  document.addEventListener('freeze', places.leave, { signal });
  document.addEventListener('resume', look, { signal });
  signal.addEventListener('abort', places.close);
  look();
}

/** Over HTTP/2 all that the tabs ask for shares a connection. */
export function isMultiplexed(fetched: Pick<PerformanceResourceTiming, 'name' | 'nextHopProtocol'>[]): boolean {
  return fetched.some((entry) => entry.name.startsWith(`${location.origin}/`) && /^h[23]/.test(entry.nextHopProtocol));
}
