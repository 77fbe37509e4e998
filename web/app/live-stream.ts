import type { LiveEvent } from '#contracts/live.ts';
import { request } from '#web/shared/api.ts';
import { ApiError } from '#web/shared/api-error.ts';
import { awaitPlace } from './stream-places.ts';

const firstRetryMs = 1000;
const maxRetryMs = 30_000;

/** Answers may be older than their request by the time they travel. */
const travelMs = 2000;
/** The longest span that the server accepts. */
const mostMissedMs = 600_000;

type Options = { askedFromMs: number; signal: AbortSignal; onRefused: () => void };

/**
 * Keeps the page up to date until aborted: by the account's events while this tab has a place for a stream, otherwise
 * by asking for everything now and then while it is looked at.
 */
export function followEvents(onEvent: (event: LiveEvent) => void, { signal, ...options }: Options): void {
  let { askedFromMs } = options;
  let stream: AbortController | undefined;
  awaitPlace({
    signal,
    onPlace(has) {
      stream?.abort();
      if (!has) return;
      stream = new AbortController();
      void listenToEvents(onEvent, { ...options, askedFromMs, signal: stream.signal });
      // By the next time the span that was missed is not known.
      askedFromMs = -Infinity;
    },
    onWait: () => onEvent({ type: 'resync' }),
  });
}

/**
 * Reads the account's server-sent events until aborted, and comes back after every break, later each time. The page
 * has asked for what it shows from `askedFromMs` on, as `performance.now` counts; where that is longer ago than the
 * server recalls, it asks anew.
 * `fetch` reads them because EventSource cannot carry the Authorization header. `onRefused`: the person is let in no
 * more, or not to this account.
 */
async function listenToEvents(
  onEvent: (event: LiveEvent) => void,
  { askedFromMs, signal, onRefused }: Options,
): Promise<void> {
  let retryMs = firstRetryMs;
  let hasBeenOpen = false;
  while (!signal.aborted) {
    try {
      const missedMs = Math.ceil(performance.now() - askedFromMs) + travelMs;
      const isRecalled = !hasBeenOpen && missedMs <= mostMissedMs;
      const query = isRecalled ? { missed_ms: missedMs } : {};
      const response = await request(
        'GET /api/events',
        { query, headers: { accept: 'text/event-stream' } },
        { signal },
      );
      if (!isRecalled) onEvent({ type: 'resync' });
      hasBeenOpen = true;
      retryMs = firstRetryMs;
      for await (const data of eventData(response)) onEvent(JSON.parse(data) as LiveEvent);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefused(error)) return onRefused();
    }
    await pause(retryMs * (0.5 + Math.random() / 2), signal);
    retryMs = Math.min(maxRetryMs, retryMs * 2);
  }
}

/** Asking again would be answered the same; the page listens anew once a subscription begins. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === 429) return false;
  return error.status >= 400 && error.status < 500;
}

/** The `data` of each event in a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* eventData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (buffer + value).split(/\r?\n\r?\n/);
      buffer = events.pop() ?? '';
      for (const event of events) {
        const data = dataOf(event);
        if (data !== '') yield data;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function dataOf(event: string): string {
  return event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
