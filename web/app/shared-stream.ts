import type { LiveEvent } from '#contracts/live.ts';
import { listenToEvents } from './live-stream.ts';

/** Of the tab that reads the stream, to the others. The one that opened it last reads it. */
type Word =
  | { kind: 'opened'; atMs: number; id: string }
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'reading' }
  | { kind: 'left' };

const beatMs = 20_000;
/** Longer than browsers put the timers of a hidden tab off. */
const silentMs = 150_000;
/** By chance within it, so that the tabs which a reader leaves behind do not all open a stream. */
const takeOverMs = 1000;

type Reading = { controller: AbortController; openedAtMs: number | undefined };
type Options = { token: string; askedFromMs: number; signal: AbortSignal; onRefused: () => void };

/**
 * As `listenToEvents`, with one stream for all tabs of a session: over HTTP/1.1 a browser has six connections to a server,
 * and the seventh stream would hold up whatever any tab asks for. A tab reads when it opens and when it is shown again,
 * for whoever read before may be suspended; the others take its events from a channel.
 */
export function shareEvents(onEvent: (event: LiveEvent) => void, options: Options): void {
  const { token, askedFromMs, signal, onRefused } = options;
  const channel = new BroadcastChannel(`live:${token}`);
  const id = crypto.getRandomValues(new Uint32Array(2)).join();
  let reading: Reading | undefined;
  /** Until then nothing can have been missed. */
  let knownUntilMs = askedFromMs;
  let isRefused = false;
  let isOver = false;
  let takeOver: ReturnType<typeof setTimeout> | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;

  const say = (word: Word) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
    if (!isOver) channel.postMessage(word);
  };

  function read(): void {
    clearTimeout(takeOver);
    if (reading || isRefused || isOver) return;
    const controller = new AbortController();
    const own: Reading = { controller, openedAtMs: undefined };
    reading = own;
    beat = setInterval(() => say({ kind: 'reading' }), beatMs);
    void listenToEvents(
      (event) => {
        say({ kind: 'event', event });
        onEvent(event);
      },
      {
        askedFromMs: knownUntilMs,
        signal: controller.signal,
        onOpen() {
          own.openedAtMs = Date.now();
          say({ kind: 'opened', atMs: own.openedAtMs, id });
        },
        onRefused() {
          isRefused = true;
          leave();
          onRefused();
        },
      },
    );
  }

  function stop(): void {
    clearInterval(beat);
    clearTimeout(takeOver);
    reading?.controller.abort();
    reading = undefined;
  }

  function leave(): void {
    if (reading) say({ kind: 'left' });
    stop();
  }

  function follow(afterMs: number): void {
    knownUntilMs = performance.now();
    clearTimeout(takeOver);
    takeOver = setTimeout(read, afterMs);
  }

  channel.addEventListener('message', ({ data: word }: MessageEvent<Word>) => {
    if (reading) {
      const { openedAtMs } = reading;
      const isLater =
        word.kind === 'opened' &&
        openedAtMs !== undefined &&
        (word.atMs > openedAtMs || (word.atMs === openedAtMs && word.id > id));
      if (!isLater) return;
      stop();
    }
    follow(word.kind === 'left' ? Math.random() * takeOverMs : silentMs);
    if (word.kind === 'event') onEvent(word.event);
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && read(), { signal });
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && read(), { signal });
  signal.addEventListener('abort', () => {
    leave();
    isOver = true;
    channel.close();
  });
  read();
}
