import { DEFAULT_CONNECTION_CONFIG, fetchLatestWaWebVersion } from 'baileys';
import type { WAVersion } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';

const maxAgeMs = 6 * 60 * 60_000;
const fetchTimeoutMs = 3_000;

/**
 * Which version of WhatsApp Web to say we are. An old one is refused (failure 405) or shows QR codes that never link.
 */
export type WebVersions = {
  /** `remembered` is the version that worked last for this phone; it is used while nothing newer is known. */
  current(remembered: WAVersion | undefined): Promise<WAVersion>;
  /** The version was refused: asks for the latest. */
  refresh(): Promise<void>;
};

/** Asks web.whatsapp.com, at most every six hours. Only a phone that knows no version at all waits for the answer. */
export function createWebVersions(clock: Clock, fetchLatest = fetchLatestWaWebVersion): WebVersions {
  let fetched: { version: WAVersion; atMs: number } | undefined;
  let fetching: Promise<void> | undefined;

  async function fetchVersion(): Promise<void> {
    const { version, isLatest } = await fetchLatest({ signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (isLatest) fetched = { version, atMs: clock.now().getTime() };
  }

  function refresh(): Promise<void> {
    fetching ??= fetchVersion().finally(() => (fetching = undefined));
    return fetching;
  }

  return {
    refresh,
    async current(remembered) {
      const isFresh = fetched !== undefined && clock.now().getTime() - fetched.atMs < maxAgeMs;
      const answer = isFresh ? undefined : refresh();
      if (!fetched && !remembered) await answer;
      return fetched?.version ?? remembered ?? DEFAULT_CONNECTION_CONFIG.version;
    },
  };
}

/** For any server that is not WhatsApp's: no question leaves the machine. */
export const builtInVersions: WebVersions = {
  current: () => Promise.resolve(DEFAULT_CONNECTION_CONFIG.version),
  refresh: () => Promise.resolve(),
};
