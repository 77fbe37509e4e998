import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { Growth } from '#server/platform/backoff.ts';
import type { DownloadTimes } from './media/download-file.ts';
import type { UploadTimes } from './media/upload-file.ts';
import type { LoginPace } from './login-pace.ts';
import type { Egress } from './proxy/phone-proxy.ts';
import type { PresenceTimes } from './presence.ts';
import type { NumberAnswers } from './recipients.ts';
import type { WebVersions } from './web-version.ts';

/** The parts that all sessions of a connector share. */
export type SessionEnvironment = {
  socketUrl: string | undefined;
  /** Where media and histories are. */
  mediaOrigin: string;
  egress: Egress;
  clock: Clock;
  logger: Logger;
  versions: WebVersions;
  answers: NumberAnswers;
  ackTimeoutMs: number;
  uploads: UploadTimes;
  downloads: DownloadTimes;
  presence: PresenceTimes;
  backoff: Growth;
  /** How long a connection has to stand until its failures are forgotten. */
  stableMs: number;
  /** And until a message that breaks it is to blame. */
  provenMs: number;
  missingGrowth: Growth;
  /** How long WhatsApp may take from the first byte until the phone is in, or shows a code. */
  connectTimeoutMs: number;
  logins: LoginPace;
  random(): number;
};
