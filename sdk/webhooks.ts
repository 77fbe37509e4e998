import type * as contracts from './api/contracts.ts';

/** The objects that events carry, by the first word of their type. */
type Subjects = {
  message: contracts.Message;
  call: contracts.Message;
  conversation: contracts.Conversation;
  phone: contracts.PhoneNumber;
  contact: contracts.ContactOptOut;
  campaign: contracts.Campaign;
  bulk_run: contracts.BulkRun;
  import: contracts.FinishedImport;
  event: contracts.TrackedEvent;
  subscription: contracts.CurrentSubscription;
};

/** `test`, and kinds that are to come, may be about anything. */
type DataOf<Type extends string> = Type extends `${infer Kind extends keyof Subjects}.${string}`
  ? Subjects[Kind]
  : Record<string, unknown>;

/**
 * An event: `id` is the `webhook-id`, the same for every attempt; `sequence` grows by one with each event of the
 * project, so that a gap means a missed event.
 */
export type WebhookEvent = {
  [Type in contracts.WebhookEventType]: {
    id: string;
    type: Type;
    timestamp: string;
    data: DataOf<Type>;
    sequence?: number;
  };
}[contracts.WebhookEventType];

/** The delivery is not from Dovepost, or too old: answer 401 and do nothing. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}

const toleranceSeconds = 5 * 60;

type HeaderSource = Headers | Readonly<Record<string, string | string[] | undefined>>;

export type VerifyWebhook = {
  /** The exact bytes or text that came, not JSON that was parsed and written again. */
  body: string | Uint8Array;
  headers: HeaderSource;
  /** `whsec_…`; several while one is replaced. */
  secret: string | readonly string[];
  /** Seconds since the epoch. */
  now?: number;
};

/**
 * Checks a delivery as Standard Webhooks says, and answers its event. Throws `InvalidSignatureError`. Its `id`
 * is the same for every attempt at one event: who has seen it does nothing twice.
 */
export async function verifyWebhook(delivery: VerifyWebhook): Promise<WebhookEvent> {
  const { headers, secret, now = Date.now() / 1000 } = delivery;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !signatures || !/^\d+$/.test(timestamp)) throw new InvalidSignatureError('A signature header is missing');
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds) throw new InvalidSignatureError('The delivery is too old');
  const body = typeof delivery.body === 'string' ? delivery.body : new TextDecoder().decode(delivery.body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of [secret].flat()) {
    const key = await keyOf(each);
    for (const entry of signatures.split(' ')) {
      const [version, signature = ''] = entry.split(',', 2);
      if (version !== 'v1') continue;
      const bytes = bytesOf(signature);
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return withId(body, id);
    }
  }
  throw new InvalidSignatureError('No signature of the delivery is right');
}

/** Servers of earlier releases have the `id` in the headers alone. */
const withId = (body: string, id: string): WebhookEvent => ({ ...(JSON.parse(body) as WebhookEvent), id });

function headerOf(headers: HeaderSource, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(entry) ? entry[0] : entry) ?? '';
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('The secret is not one of Dovepost: it begins with whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Undefined where it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
