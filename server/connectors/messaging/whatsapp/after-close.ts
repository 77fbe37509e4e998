import { StaleLeaseError } from '../port.ts';

/** How a connection ended: the library's status code and message, and what led up to it. */
export type ConnectionEnd = {
  code: number;
  message: string;
  isLinked: boolean;
  /** How many connections in a row, this one included, ended with code 500 without having been open. */
  refusals: number;
};

/** The session's last state, and whether its credentials are of no more use. */
export type SessionEnd = {
  status: 'disconnected' | 'auth_failed' | 'banned';
  reason: string;
  forgetsCredentials: boolean;
};

export type AfterClose =
  | { next: 'reconnect'; reason: string; delay: 'none' | 'backoff'; isVersionRefused?: true }
  | ({ next: 'end' } & SessionEnd);

/** WhatsApp refusing for no stated reason this often in a row will not stop by itself. */
const maxRefusals = 3;

const code = {
  loggedOut: 401,
  temporarilyBanned: 402,
  banned: 403,
  versionRefused: 405,
  timedOut: 408,
  noMultiDevice: 411,
  replaced: 440,
  badSession: 500,
  restartRequired: 515,
} as const;

/** What follows from each way a connection can end. */
export function decideAfterClose(end: ConnectionEnd): AfterClose {
  switch (end.code) {
    case code.restartRequired:
      return { next: 'reconnect', reason: 'WhatsApp asked for a new connection', delay: 'none' };
    case code.loggedOut:
      return finish('auth_failed', 'This device was removed from the WhatsApp account. Link the phone again.', true);
    case code.noMultiDevice:
      return finish(
        'auth_failed',
        'This WhatsApp account takes no linked devices. Update WhatsApp, then link again.',
        true,
      );
    case code.banned:
      return finish('banned', 'WhatsApp has banned this account');
    case code.temporarilyBanned:
      return finish('banned', 'WhatsApp has banned this account for a while');
    case code.replaced:
      return finish('disconnected', 'Another program connected as this device');
    case code.versionRefused:
      return { ...retry('WhatsApp refused this version of WhatsApp Web'), isVersionRefused: true };
    case code.timedOut:
      return hasQrRunOut(end) ? finish('disconnected', 'The QR code was not scanned in time') : retry(away);
    case code.badSession:
      return afterRefusal(end);
    default:
      return retry(away);
  }
}

const away = 'The connection to WhatsApp was lost';

/** What follows when keys or messages could not be stored, and the connection was given up for it. */
export function decideAfterStoreFailure(error: unknown): AfterClose {
  // The lease went to another worker, which has the phone's connection by now.
  return error instanceof StaleLeaseError
    ? finish('disconnected', 'Another process took this phone over')
    : retry('What WhatsApp sent could not be stored');
}

/** The library reports the last code's end as a timeout like any other. */
function hasQrRunOut({ isLinked, message }: ConnectionEnd): boolean {
  return !isLinked && message.includes('QR refs');
}

function afterRefusal({ isLinked, refusals }: ConnectionEnd): AfterClose {
  const reason = isLinked
    ? 'WhatsApp refused the connection several times in a row. Link the phone again.'
    : 'The answer to the QR code could not be verified. Link the phone again.';
  return refusals >= maxRefusals ? finish('auth_failed', reason) : retry(away);
}

type End = Extract<AfterClose, { next: 'end' }>;
type Reconnect = Extract<AfterClose, { next: 'reconnect' }>;

function finish(status: End['status'], reason: string, forgetsCredentials = false): End {
  return { next: 'end', status, reason, forgetsCredentials };
}

function retry(reason: string): Reconnect {
  return { next: 'reconnect', reason, delay: 'backoff' };
}
