import type { Listener } from './db/listen.ts';

/**
 * Work that NOTIFY announces. A notification can be lost, and some work falls due without one: so it is polled, too.
 */
export type Polling = { start(): void; stop(): void };

export type PollingOptions = {
  /** The handler of each channel's payloads. */
  channels: Readonly<Record<string, (payload: string) => void>>;
  pollMs: number;
  /** Looks for everything: at the start, every `pollMs`, and when notifications may have been missed. Does not throw. */
  poll(): void;
};

export function createPolling(listener: Listener, { channels, pollMs, poll }: PollingOptions): Polling {
  const ends: (() => void)[] = [];
  return {
    start() {
      for (const [channel, handle] of Object.entries(channels)) ends.push(listener.subscribe(channel, handle));
      const timer = setInterval(poll, pollMs);
      ends.push(listener.onGap(poll), () => clearInterval(timer));
      poll();
    },
    stop() {
      for (const end of ends.splice(0)) end();
    },
  };
}
