import type { Growth } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { LoginRate } from './login-pace.ts';
import type { DownloadTimes } from './media/download-file.ts';
import type { UploadTimes } from './media/upload-file.ts';
import type { PresenceTimes } from './presence.ts';
import type { Egress } from './proxy/phone-proxy.ts';

export type WhatsAppConnectorOptions = {
  /** A server other than WhatsApp's own; its certificate is checked all the same. */
  socketUrl?: string | undefined;
  clock: Clock;
  logger: Logger;
  /** How long a message may wait for the server's ack. */
  ackTimeoutMs?: number;
  /** How long files may take. */
  uploads?: UploadTimes;
  downloads?: DownloadTimes;
  presence?: PresenceTimes;
  backoff?: Growth;
  stableMs?: number;
  provenMs?: number;
  /** When the handset is asked again for messages that it was asked for in vain. */
  missingGrowth?: Growth;
  connectTimeoutMs?: number;
  logins?: LoginRate;
  /** Where connections to proxies may lead; public addresses alone when left out. */
  egress?: Egress;
  /** From 0 to 1, for the random part of waiting times. */
  random?: () => number;
};
