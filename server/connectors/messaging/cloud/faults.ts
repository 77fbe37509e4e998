import type { SendOutcome } from '../port.ts';
import { faultText } from './graph.ts';
import type { GraphFault } from './graph.ts';

/**
 * The reaction to a fault of a send. Source: developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes.
 * - `retry`: the service's own trouble, later again;
 * - `number`: the number may not send until its owner does something;
 * - `slow`: the number sends too much for now;
 * - `pair`: too much to this recipient alone;
 * - the others fail this message alone, each with its code.
 */
type Action =
  | 'retry'
  | 'number'
  | 'slow'
  | 'pair'
  | 'contact'
  | 'off_whatsapp'
  | 'opt_out'
  | 'window'
  | 'template'
  | 'template_paused'
  | 'capped'
  | 'media'
  | 'request';

const actions: Readonly<Record<number, Action>> = {
  0: 'number',
  1: 'retry',
  2: 'retry',
  3: 'number',
  4: 'slow',
  10: 'number',
  33: 'number',
  100: 'request',
  190: 'number',
  368: 'number',
  2635: 'number',
  80007: 'slow',
  80008: 'slow',
  130429: 'slow',
  130472: 'contact',
  130497: 'contact',
  131000: 'retry',
  131005: 'number',
  131008: 'request',
  131009: 'request',
  131016: 'retry',
  131021: 'contact',
  131026: 'off_whatsapp',
  // Of a test number, which reaches nobody else either: what is queued waits, or goes by another number.
  131030: 'number',
  131031: 'number',
  131037: 'number',
  131042: 'number',
  131045: 'number',
  131047: 'window',
  131048: 'slow',
  131049: 'capped',
  131050: 'opt_out',
  131051: 'request',
  131053: 'media',
  131055: 'request',
  131056: 'pair',
  131057: 'retry',
  131061: 'request',
  131062: 'contact',
  131063: 'number',
  131064: 'slow',
  132000: 'template',
  132001: 'template',
  132005: 'template',
  132007: 'template',
  132008: 'template',
  132012: 'template',
  132015: 'template_paused',
  132016: 'template',
  132018: 'template',
  132068: 'template',
  132069: 'template',
  133000: 'retry',
  133004: 'retry',
  133010: 'number',
  133015: 'retry',
  133016: 'number',
  134011: 'number',
  134100: 'template',
  134101: 'retry',
  134102: 'template',
  135000: 'retry',
  137000: 'contact',
};

const permissionCodes = { first: 200, last: 299 };

/** Undefined for a code that is not known: the message fails with the network's own words, and the number goes on. */
export function actionOf(code: number): Action | undefined {
  if (code >= permissionCodes.first && code <= permissionCodes.last) return 'number';
  return actions[code];
}

const minuteMs = 60_000;
/** Throughput counts by the second. */
export const slowPauseMs = 2_000;
const spamPauseMs = 15 * minuteMs;
/** Meta's advice for the pair rate is 4^n seconds. */
const longestPairPower = 6;

/** The webhook that says so holds its messages back before long. */
const templatePauseMs = 5 * minuteMs;

const spamRate = 131048;
const throughput = 130429;
/** Limits of calls to Graph, which are counted by the hour. */
const callLimits = new Set([4, 80007, 80008]);

/** How long a number that sends too much is left alone. */
export function slowedMs(code: number): number {
  if (code === spamRate) return spamPauseMs;
  return callLimits.has(code) ? minuteMs : slowPauseMs;
}

/** More than a matter of seconds: nothing is tried meanwhile, and its owner is told. */
export const isHeldBack = (code: number) => actionOf(code) === 'slow' && code !== throughput;

const noAccess =
  'The access token lacks a permission. Make one for a system user that has the WhatsApp Business Account among its assets, with whatsapp_business_management and whatsapp_business_messaging.';

/** Sentences that say what its owner can do, where the network's own words do not. */
const advice: Readonly<Record<number, string>> = {
  10: noAccess,
  33: 'Meta knows nothing under this ID, or shows it to another app. Check the phone number ID and the WhatsApp Business Account ID, and that the system user has access to the account.',
  200: noAccess,
  190: 'The access token is not valid any more. Enter a new one of a system user, or continue with Meta again where the number came so.',
  2635: 'Meta no longer answers this version of its API. The operator of this server sets a newer one: CLOUD_API_VERSION.',
  131030:
    'The number is one that Meta lends for tests: it reaches only the numbers on its list in the app dashboard. Add the recipient there and connect it again, or connect a number of your own.',
  131042: 'Meta has no payment method that works. Add one in the billing of the WhatsApp Business Account.',
  133010: 'The number is not registered. Enter its six-digit PIN and connect it again.',
  133005:
    'The PIN is not the two-step PIN of this number. Enter the right one, or set a new one in the WhatsApp Manager.',
  133006:
    'Meta does not know yet that this number is yours. Verify it by SMS or a call in the WhatsApp Manager, then connect it again.',
  133008: 'The PIN was entered wrongly too often. Wait as long as the WhatsApp Manager says, then enter the right one.',
  133009: 'The PIN was entered too soon after the last time. Wait some minutes, then connect the number again.',
  133016: 'Meta registers a number ten times in 72 hours at the most. Wait until then, and connect it once.',
  131047: 'The contact last wrote more than 24 hours ago: only a template reaches them.',
  131026: 'Meta cannot deliver to this number: it is not on WhatsApp, or cannot receive this.',
  131049: 'Meta limits how many marketing messages a person gets. Do not send this one again within 24 hours.',
  131050: 'The contact stopped marketing messages from this business.',
};

export const adviceFor = (fault: GraphFault) => advice[fault.code] ?? faultText(fault);

/** How the network's fault settles a message; `earlier` counts earlier refusals of this recipient for the pair rate. */
export function outcomeOf(fault: GraphFault, { now, earlier }: { now: Date; earlier: number }): SendOutcome {
  const reason = adviceFor(fault);
  const held = (ms: number): SendOutcome => ({
    kind: 'held',
    code: 'network_refused',
    reason,
    until: new Date(now.getTime() + ms),
  });
  switch (actionOf(fault.code)) {
    case 'retry':
      return held(minuteMs);
    case 'slow':
      return held(slowedMs(fault.code));
    case 'pair':
      return held(1000 * 4 ** Math.min(earlier, longestPairPower));
    case 'template_paused':
      return { kind: 'held', code: 'template_refused', reason, until: new Date(now.getTime() + templatePauseMs) };
    case 'number':
      return { kind: 'held', code: 'number_stopped', reason, until: now };
    default:
      return { kind: 'refused', code: refusalOf(fault.code), reason };
  }
}

/** So many different people in a row whose message fails with the same code that nobody knows stop the number. */
export const unknownInARow = 5;

/** The meaning of a fault beyond its message; `unknown` is up to how many people in a row it concerns. */
export type Consequence =
  | { kind: 'stop' }
  | { kind: 'hold'; ms: number }
  | { kind: 'marketing_stopped' }
  | { kind: 'unknown' };

/** Undefined where it concerns the message alone. */
export function consequenceOf(code: number): Consequence | undefined {
  switch (actionOf(code)) {
    case undefined:
      return { kind: 'unknown' };
    case 'number':
      return { kind: 'stop' };
    case 'opt_out':
      return { kind: 'marketing_stopped' };
    case 'slow':
      return isHeldBack(code) ? { kind: 'hold', ms: slowedMs(code) } : undefined;
    default:
      return undefined;
  }
}

/** The `error_code` of a message that Meta refused, or failed after it had accepted it. */
export function refusalOf(code: number): Extract<SendOutcome, { kind: 'refused' }>['code'] {
  switch (actionOf(code)) {
    case 'off_whatsapp':
      return 'not_on_whatsapp';
    case 'window':
      return 'window_closed';
    case 'template':
    case 'template_paused':
      return 'template_refused';
    case 'capped':
      return 'marketing_capped';
    case 'opt_out':
      return 'opted_out';
    case 'media':
      return 'media_unavailable';
    case 'number':
      return 'number_stopped';
    default:
      return 'network_refused';
  }
}
