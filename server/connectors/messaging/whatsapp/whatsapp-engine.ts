import type { Connector } from '../port.ts';
import type { WhatsAppConnectorOptions } from './connector-options.ts';
import { openSealed } from './incoming/sealed-changes.ts';
import { reconnectGrowth } from './backoff.ts';
import { createLoginPace, loginRate } from './login-pace.ts';
import { downloadTimes } from './media/download-file.ts';
import { uploadTimes } from './media/upload-file.ts';
import { acknowledgePlainly } from './plain-acks.ts';
import { presenceTimes } from './presence.ts';
import type { Egress } from './proxy/phone-proxy.ts';
import { createNumberAnswers } from './recipients.ts';
import { WhatsAppSession } from './session.ts';
import { keepSessionsWhole } from './signal-sessions.ts';
import { silenceSignalLibrary } from './silence-signal-library.ts';
import { enforceSignatures } from './verify-signatures.ts';
import { builtInVersions, createWebVersions } from './web-version.ts';

const ackTimeoutMs = 30_000;
const stableMs = 60_000;
const provenMs = 10_000;
/** A handset may be off for days. */
const missingGrowth = { firstMs: 60_000, longestMs: 60 * 60_000 };
const connectTimeoutMs = 60_000;

/** Speaks to WhatsApp Web by Baileys, which takes some 60 MiB: loaded with the first phone. */
export function createWhatsAppEngine(
  options: WhatsAppConnectorOptions,
  { mediaOrigin, egress }: { mediaOrigin: string; egress: Egress },
): { open: Connector['open']; openSealed: typeof openSealed } {
  enforceSignatures();
  acknowledgePlainly();
  silenceSignalLibrary();
  keepSessionsWhole();
  const environment = {
    socketUrl: options.socketUrl,
    mediaOrigin,
    egress,
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
    provenMs: options.provenMs ?? provenMs,
    missingGrowth: options.missingGrowth ?? missingGrowth,
    connectTimeoutMs: options.connectTimeoutMs ?? connectTimeoutMs,
    logins: createLoginPace(options.logins ?? loginRate),
    random: options.random ?? Math.random,
  };
  return { open: (input) => new WhatsAppSession(input, environment), openSealed };
}
