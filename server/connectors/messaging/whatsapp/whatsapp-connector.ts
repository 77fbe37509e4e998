import { randomBytes } from 'node:crypto';
import { connectorTraits } from '#contracts/connectors.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createPublicResolver } from '#server/platform/http/resolve-host.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { Connector } from '../port.ts';
import { openSealed } from './incoming/sealed-changes.ts';
import { reconnectGrowth } from './backoff.ts';
import type { Growth } from '#server/platform/backoff.ts';
import { createLoginPace, loginRate } from './login-pace.ts';
import type { LoginRate } from './login-pace.ts';
import { downloadTimes } from './media/download-file.ts';
import type { DownloadTimes } from './media/download-file.ts';
import { uploadTimes } from './media/upload-file.ts';
import type { UploadTimes } from './media/upload-file.ts';
import { acknowledgePlainly } from './plain-acks.ts';
import { presenceTimes } from './presence.ts';
import type { PresenceTimes } from './presence.ts';
import type { Egress } from './proxy/phone-proxy.ts';
import { testProxy } from './proxy/test-proxy.ts';
import { createNumberAnswers } from './recipients.ts';
import { WhatsAppSession } from './session.ts';
import { keepSessionsWhole } from './signal-sessions.ts';
import { silenceSignalLibrary } from './silence-signal-library.ts';
import { enforceSignatures } from './verify-signatures.ts';
import { builtInVersions, createWebVersions } from './web-version.ts';

const ackTimeoutMs = 30_000;
const webOrigin = 'https://web.whatsapp.com';
const mediaOrigin = 'https://mmg.whatsapp.net';
const stableMs = 60_000;
const connectTimeoutMs = 60_000;

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
  connectTimeoutMs?: number;
  logins?: LoginRate;
  /** Where connections to proxies may lead; public addresses alone when left out. */
  egress?: Egress;
  /** From 0 to 1, for the random part of waiting times. */
  random?: () => number;
};

/**
 * WhatsApp Web: phones are linked by QR code or pairing code, like a browser. The message id is ours and goes with the
 * message; a receiver shows an id once, so that a resend after a broken connection is harmless.
 */
export function createWhatsAppConnector(options: WhatsAppConnectorOptions): Connector {
  enforceSignatures();
  acknowledgePlainly();
  silenceSignalLibrary();
  keepSessionsWhole();
  const environment = {
    socketUrl: options.socketUrl,
    mediaOrigin: options.socketUrl === undefined ? mediaOrigin : mediaOriginOf(options.socketUrl),
    egress: options.egress ?? { isPrivateAllowed: false, resolveHost: createPublicResolver() },
    clock: options.clock,
    logger: options.logger,
    versions: options.socketUrl === undefined ? createWebVersions(options.clock) : builtInVersions,
    answers: createNumberAnswers(options.clock),
    ackTimeoutMs: options.ackTimeoutMs ?? ackTimeoutMs,
    uploads: options.uploads ?? uploadTimes,
    downloads: options.downloads ?? downloadTimes,
    presence: options.presence ?? presenceTimes,
    backoff: options.backoff ?? reconnectGrowth,
    stableMs: options.stableMs ?? stableMs,
    connectTimeoutMs: options.connectTimeoutMs ?? connectTimeoutMs,
    logins: createLoginPace(options.logins ?? loginRate),
    random: options.random ?? Math.random,
  };
  return {
    name: 'whatsapp',
    engine: 'baileys',
    resendIsHarmless: true,
    concurrentSends: connectorTraits.whatsapp.concurrency,
    // As the official clients make them, without Baileys' hash of the time.
    createNetworkId: () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
    openSealed,
    testProxy: (url) =>
      testProxy(url, options.socketUrl === undefined ? webOrigin : environment.mediaOrigin, environment.egress),
    open: (input) => new WhatsAppSession(input, environment),
  };
}

/** Another server has its media beside its socket. */
function mediaOriginOf(socketUrl: string): string {
  return new URL(socketUrl.replace(/^ws/, 'http')).origin;
}
