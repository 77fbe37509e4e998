import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { Backoff } from './backoff.ts';
import type { NumberAnswers } from './recipients.ts';
import type { WebVersions } from './web-version.ts';

/** What all sessions of a connector share. */
export type SessionEnvironment = {
  socketUrl: string | undefined;
  clock: Clock;
  logger: Logger;
  versions: WebVersions;
  answers: NumberAnswers;
  ackTimeoutMs: number;
  backoff: Backoff;
  random(): number;
};
